import * as z from 'zod';
import { emailInput, instantText, passwordInput } from './common.ts';

/** The data that the sign-in page needs before a user signs in. */
export const signInOptions = z.object({
  /** `mail`: `forgotPassword` sends a link. `operator`: `sluice owner-link --reset EMAIL` prints one on the server. */
  password_recovery: z.enum(['mail', 'operator']),
});
export type SignInOptions = z.infer<typeof signInOptions>;

/** Mails a reset link if the user exists. The response and its timing are the same if the user does not exist. */
export const forgotPassword = z.object({ email: emailInput });
export type ForgotPassword = z.input<typeof forgotPassword>;

/** The token of a link, from the fragment of `/reset-password#token=…`. */
export const checkReset = z.object({ token: z.string().max(200) });
export type CheckReset = z.infer<typeof checkReset>;

/** The user whose password a link resets. Responds 404 `link_invalid` if the link is used, expired or unknown. */
export const resetLink = z.object({ email: z.string(), expires_at: instantText });
export type ResetLink = z.infer<typeof resetLink>;

/** Sets a new password and ends every session. The next sign-in still asks for a code. */
export const resetPassword = z.object({ token: z.string().max(200), password: passwordInput });
export type ResetPassword = z.input<typeof resetPassword>;
