import * as z from 'zod';
import { emailInput, instantText, passwordInput } from './common.ts';

/** What the sign-in page needs to know before anybody is signed in. */
export const signInOptions = z.object({
  /** `mail`: `forgotPassword` sends a link. `operator`: `sluice owner-link --reset EMAIL` prints one on the server. */
  password_recovery: z.enum(['mail', 'operator']),
});
export type SignInOptions = z.infer<typeof signInOptions>;

/** Mails a link where there is such a user; answered the same, after the same time, where there is none. */
export const forgotPassword = z.object({ email: emailInput });
export type ForgotPassword = z.input<typeof forgotPassword>;

/** The token of a link, from the fragment of `/reset-password#token=…`. */
export const checkReset = z.object({ token: z.string().max(200) });
export type CheckReset = z.infer<typeof checkReset>;

/** Whose password a link sets. Answers 404 `link_invalid` where it is used, expired or unknown. */
export const resetLink = z.object({ email: z.string(), expires_at: instantText });
export type ResetLink = z.infer<typeof resetLink>;

/** Sets a new password, and ends every session. Signing in with it asks for a code as before. */
export const resetPassword = z.object({ token: z.string().max(200), password: passwordInput });
export type ResetPassword = z.input<typeof resetPassword>;
