import * as z from 'zod';
import { instantText } from './common.ts';

const passwordText = z.string().max(256);

/** Six digits from an authenticator app, or a recovery code. */
export const codeInput = z.string().trim().min(1, 'Empty. Type the code.').max(64, 'Too long for a code.');

/** The response to a correct password if a code is also needed. The token allows ten minutes and five attempts. */
export const secondFactorNeeded = z.object({
  second_factor: z.object({ token: z.string(), expires_at: instantText }),
});
export type SecondFactorNeeded = z.infer<typeof secondFactorNeeded>;

/**
 * Completes a sign-in after a correct password. 403 `wrong_code` if the code is wrong or was used before; 401
 * `sign_in_failed` if the token has expired.
 */
export const secondStep = z.object({ token: z.string().max(200), code: codeInput });
export type SecondStep = z.input<typeof secondStep>;

/** Whether the user has two-factor sign-in. */
export const twoFactorState = z.object({
  on: z.boolean(),
  /** When it was turned on; null while it is off. */
  since: instantText.nullable(),
  recovery_codes_left: z.number(),
});
export type TwoFactorState = z.infer<typeof twoFactorState>;

/** Starts the set-up. 403 `wrong_password`; 409 `conflict` if it is already on. */
export const beginTwoFactor = z.object({ password: passwordText });
export type BeginTwoFactor = z.infer<typeof beginTwoFactor>;

/** The key for an authenticator app. Shown once. It has no effect until a code from the app confirms it. */
export const twoFactorBegun = z.object({
  /** Base 32, for manual entry. */
  key: z.string(),
  /** `otpauth://…`, for a QR code. */
  uri: z.string(),
});
export type TwoFactorBegun = z.infer<typeof twoFactorBegun>;

/** Turns it on with a code from the app, and ends the user's other sessions. 403 `wrong_code`. */
export const confirmTwoFactor = z.object({ code: codeInput });
export type ConfirmTwoFactor = z.input<typeof confirmTwoFactor>;

/** Each code signs in once instead of an authenticator code. Shown once. */
export const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof recoveryCodes>;

/** Verifies the user again before turning it off or creating recovery codes. 403 `wrong_password`, `wrong_code`. */
export const proveBoth = z.object({ password: passwordText, code: codeInput });
export type ProveBoth = z.input<typeof proveBoth>;
