import * as z from 'zod';
import { instantText } from './common.ts';

const passwordText = z.string().max(256);

/** Six digits from an authenticator app, or a recovery code. */
export const codeInput = z.string().trim().min(1, 'Empty. Type the code.').max(64, 'Too long for a code.');

/** The answer to a right password where a code is needed too. The token is good for ten minutes and five tries. */
export const secondFactorNeeded = z.object({
  second_factor: z.object({ token: z.string(), expires_at: instantText }),
});
export type SecondFactorNeeded = z.infer<typeof secondFactorNeeded>;

/**
 * Ends a sign-in whose password was right. 403 `wrong_code` where the code is wrong or was used before; 401
 * `sign_in_failed` where the token has expired.
 */
export const secondStep = z.object({ token: z.string().max(200), code: codeInput });
export type SecondStep = z.input<typeof secondStep>;

/** How the user signs in. */
export const twoFactorState = z.object({
  on: z.boolean(),
  /** Since when; null while it is off. */
  since: instantText.nullable(),
  recovery_codes_left: z.number(),
});
export type TwoFactorState = z.infer<typeof twoFactorState>;

/** Begins to set it up. 403 `wrong_password`; 409 `conflict` where it is on. */
export const beginTwoFactor = z.object({ password: passwordText });
export type BeginTwoFactor = z.infer<typeof beginTwoFactor>;

/** What an authenticator app needs: shown this once, and of no effect until a code of it has come back. */
export const twoFactorBegun = z.object({
  /** Base 32, to be typed. */
  key: z.string(),
  /** `otpauth://…`, for a QR code. */
  uri: z.string(),
});
export type TwoFactorBegun = z.infer<typeof twoFactorBegun>;

/** Turns it on with a code from the app, and ends every other session. 403 `wrong_code`. */
export const confirmTwoFactor = z.object({ code: codeInput });
export type ConfirmTwoFactor = z.input<typeof confirmTwoFactor>;

/** Each signs in once in place of a code. Shown this once. */
export const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof recoveryCodes>;

/** Proves once more who it is, to turn it off or to make new recovery codes. 403 `wrong_password`, `wrong_code`. */
export const proveBoth = z.object({ password: passwordText, code: codeInput });
export type ProveBoth = z.input<typeof proveBoth>;
