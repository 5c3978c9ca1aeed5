import * as z from 'zod';
import { emailInput, instantText, roleSchema } from './common.ts';

export const member = z.object({
  user_id: z.string(),
  email: z.string(),
  name: z.string(),
  role: roleSchema,
  /** True for the user who makes the request. */
  self: z.boolean(),
  /** Whether they also sign in with a code; null for viewers, who may not see it. */
  two_factor: z.boolean().nullable(),
  joined_at: instantText,
});
export type Member = z.infer<typeof member>;

/** An invitation that has not been used yet. */
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

/** Creates a one-time link. Anyone with the link can use it, unless `email` restricts it to one address. */
export const newInvite = z.object({ role: roleSchema, email: emailInput.nullable().optional() });
export type NewInvite = z.input<typeof newInvite>;

/** `url` contains the token in its fragment. It is returned once. */
export const inviteCreated = z.object({ invite, url: z.string() });
export type InviteCreated = z.infer<typeof inviteCreated>;

/** Whether owners and admins need two-factor sign-in. 409 `conflict` if the requesting owner has not set it up. */
export const requireTwoFactor = z.object({ required: z.boolean() });
export type RequireTwoFactor = z.infer<typeof requireTwoFactor>;

/** 409 `last_owner` if the account would have no owner left. */
export const changeRole = z.object({ role: roleSchema });
export type ChangeRole = z.infer<typeof changeRole>;
