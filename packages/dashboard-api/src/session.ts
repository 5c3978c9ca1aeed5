import * as z from 'zod';
import { emailInput, instantText, nameInput, passwordInput, roleSchema } from './common.ts';
import { secondFactorNeeded } from './two-factor.ts';

/** Signs in. Answers 401 `sign_in_failed` whatever of the two is wrong, 429 `rate_limited` after too many tries. */
export const signIn = z.object({ email: emailInput, password: z.string().min(1, 'Empty.').max(256) });
export type SignIn = z.input<typeof signIn>;

export const membership = z.object({ account_id: z.string(), name: z.string(), role: roleSchema });
export type Membership = z.infer<typeof membership>;

/** Who is signed in, and in which account they work. */
export const me = z.object({
  user: z.object({
    user_id: z.string(),
    email: z.string(),
    name: z.string(),
    /** Whether they sign in with a code too. */
    two_factor: z.boolean(),
  }),
  /** Runs the installation: may open Bull Board (`/ops/queues`), which shows the jobs of all accounts. */
  operator: z.boolean(),
  account: z.object({
    account_id: z.string(),
    name: z.string(),
    plan: z.string(),
    /** Whether owners and admins need two-factor sign-in. */
    two_factor_required: z.boolean(),
  }),
  role: roleSchema,
  /** The account requires two-factor sign-in of this role and they have none: all they can do is set it up. */
  must_set_up_two_factor: z.boolean(),
  /** All accounts that they are a member of. */
  accounts: z.array(membership),
  /** What the pages need to know of the installation. */
  installation: z.object({
    /** Base of the webhook's endpoint URLs. */
    events_url: z.string(),
    delivery_retention_days: z.number(),
    /** What its operator calls it, such as `staging`; null: nothing. */
    environment: z.string().nullable(),
  }),
});
export type Me = z.infer<typeof me>;

/** A right password either signs in, or is followed by a code (`secondStep`). */
export const signedIn = z.union([me, secondFactorNeeded]);
export type SignedIn = z.infer<typeof signedIn>;

export const switchAccount = z.object({ account_id: z.string() });
export type SwitchAccount = z.infer<typeof switchAccount>;

/** One place where somebody is signed in. */
export const sessionItem = z.object({
  session_id: z.string(),
  /** The one that asks. */
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

/** Ends every other session of the user too. 403 `wrong_password` where the current one is not. */
export const changePassword = z.object({
  current_password: z.string().max(256),
  new_password: passwordInput,
});
export type ChangePassword = z.input<typeof changePassword>;

/** The token of a one-time link, from the fragment of `/welcome#token=…`: it reaches no server log. */
export const welcomeCheck = z.object({ token: z.string().max(200) });
export type WelcomeCheck = z.infer<typeof welcomeCheck>;

/** What a one-time link is for. Answers 404 `link_invalid` where it is used, expired or unknown. */
export const welcomeLink = z.object({
  kind: z.enum(['first_owner', 'invite']),
  account_name: z.string(),
  role: roleSchema,
  /** Whom it was made for, where that was said; then no other address is taken. */
  email: z.string().nullable(),
  expires_at: instantText,
});
export type WelcomeLink = z.infer<typeof welcomeLink>;

/**
 * Uses a one-time link and signs in. Somebody who has a user already gives their own password and becomes a member;
 * 403 `wrong_password` where it is not theirs.
 */
export const acceptWelcome = z.object({
  token: z.string().max(200),
  name: nameInput,
  email: emailInput,
  password: passwordInput,
});
export type AcceptWelcome = z.input<typeof acceptWelcome>;
