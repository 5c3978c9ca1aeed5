import type { CheckReset, ForgotPassword, ResetLink, ResetPassword, SignInOptions } from './recovery.ts';
import { route } from './route.ts';

/** Setting a new password without the old one. Part of ROUTES. */
export const RECOVERY_ROUTES = {
  options: route<{ response: SignInOptions }>('GET', '/sign-in-options', 'anyone'),
  /** 409 `conflict` if the installation sends no mail. */
  forgot: route<{ body: ForgotPassword; response: null }>('POST', '/password/forgot', 'anyone', 204),
  check: route<{ body: CheckReset; response: ResetLink }>('POST', '/password/reset/check', 'anyone'),
  reset: route<{ body: ResetPassword; response: null }>('POST', '/password/reset', 'anyone', 204),
} as const;
