import * as z from 'zod';
import { emailInput, instantText, roleSchema } from './common.ts';

export const member = z.object({
  user_id: z.string(),
  email: z.string(),
  name: z.string(),
  role: roleSchema,
  /** The one who asks. */
  self: z.boolean(),
  /** Whether they sign in with a code too; null to viewers, who are not told. */
  two_factor: z.boolean().nullable(),
  joined_at: instantText,
});
export type Member = z.infer<typeof member>;

/** An invitation that nobody has used yet. */
export const invite = z.object({
  invite_id: z.string(),
  email: z.string().nullable(),
  role: roleSchema,
  created_at: instantText,
  expires_at: instantText,
});
export type Invite = z.infer<typeof invite>;

export const memberList = z.object({ items: z.array(member), invites: z.array(invite) });
export type MemberList = z.infer<typeof memberList>;

/** Makes a one-time link; whoever has it may use it, or only `email` where that is given. */
export const newInvite = z.object({ role: roleSchema, email: emailInput.nullable().optional() });
export type NewInvite = z.input<typeof newInvite>;

/** `url` holds the token in its fragment: answered this once. */
export const inviteCreated = z.object({ invite, url: z.string() });
export type InviteCreated = z.infer<typeof inviteCreated>;

/** Whether owners and admins need two-factor sign-in. 409 `conflict` where the owner who asks has none. */
export const requireTwoFactor = z.object({ required: z.boolean() });
export type RequireTwoFactor = z.infer<typeof requireTwoFactor>;

/** 409 `last_owner` where nobody else would own the account. */
export const changeRole = z.object({ role: roleSchema });
export type ChangeRole = z.infer<typeof changeRole>;
