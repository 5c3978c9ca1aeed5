import * as z from 'zod';
import { emailInput, instantText, nameInput, passwordInput, roleSchema } from './common.ts';
import { secondFactorNeeded } from './two-factor.ts';

/** Signs in. 401 `sign_in_failed` if email or password is wrong; 429 `rate_limited` after too many attempts. */
export const signIn = z.object({ email: emailInput, password: z.string().min(1, 'Empty.').max(256) });
export type SignIn = z.input<typeof signIn>;

export const membership = z.object({ account_id: z.string(), name: z.string(), role: roleSchema });
export type Membership = z.infer<typeof membership>;

/** The signed-in user and their current account. */
export const me = z.object({
  user: z.object({
    user_id: z.string(),
    email: z.string(),
    name: z.string(),
    /** Whether they also sign in with a code. */
    two_factor: z.boolean(),
  }),
  /** An operator of the installation. As an owner they see on Ops what waits in all accounts, and who the operators are. */
  operator: z.boolean(),
  account: z.object({
    account_id: z.string(),
    name: z.string(),
    plan: z.string(),
    /** Whether owners and admins need two-factor sign-in. */
    two_factor_required: z.boolean(),
  }),
  role: roleSchema,
  /** The account requires two-factor sign-in for this role and the user has none. They can only set it up. */
  must_set_up_two_factor: z.boolean(),
  /** All accounts in which the user is a member. */
  accounts: z.array(membership),
  /** Settings of the installation that the pages need. */
  installation: z.object({
    /** Base of the webhook's endpoint URLs. */
    events_url: z.string(),
    delivery_retention_days: z.number(),
    /** The operator's name for the installation, such as `staging`; null if it has none. */
    environment: z.string().nullable(),
  }),
});
export type Me = z.infer<typeof me>;

/** A correct password signs in, or a code must follow (`secondStep`). */
export const signedIn = z.union([me, secondFactorNeeded]);
export type SignedIn = z.infer<typeof signedIn>;

export const switchAccount = z.object({ account_id: z.string() });
export type SwitchAccount = z.infer<typeof switchAccount>;

/** One session of the user, such as a browser or device. */
export const sessionItem = z.object({
  session_id: z.string(),
  /** The session that makes the request. */
  current: z.boolean(),
  created_at: instantText,
  last_seen_at: instantText,
  expires_at: instantText,
  address: z.string(),
  user_agent: z.string(),
});
export type SessionItem = z.infer<typeof sessionItem>;
export const sessionList = z.object({ items: z.array(sessionItem) });
export type SessionList = z.infer<typeof sessionList>;

/** Also ends the user's other sessions. 403 `wrong_password` if the current password is wrong. */
export const changePassword = z.object({
  current_password: z.string().max(256),
  new_password: passwordInput,
});
export type ChangePassword = z.input<typeof changePassword>;

/** The token of a one-time link, from the fragment of `/welcome#token=…`. Fragments never reach a server log. */
export const welcomeCheck = z.object({ token: z.string().max(200) });
export type WelcomeCheck = z.infer<typeof welcomeCheck>;

/** Describes a one-time link. Responds 404 `link_invalid` if the link is used, expired or unknown. */
export const welcomeLink = z.object({
  kind: z.enum(['first_owner', 'invite']),
  account_name: z.string(),
  role: roleSchema,
  /** The only email address that may use the link; null: any address may. */
  email: z.string().nullable(),
  expires_at: instantText,
});
export type WelcomeLink = z.infer<typeof welcomeLink>;

/**
 * Uses a one-time link and signs in. An existing user enters their current password and becomes a member; 403
 * `wrong_password` if it is wrong.
 */
export const acceptWelcome = z.object({
  token: z.string().max(200),
  name: nameInput,
  email: emailInput,
  password: passwordInput,
});
export type AcceptWelcome = z.input<typeof acceptWelcome>;
