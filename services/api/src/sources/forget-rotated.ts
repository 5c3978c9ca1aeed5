import { type ForgetSecretsDeps, forgetSecrets } from '@sluice/accounts/secrets/forget-secrets';
import { MINUTE_MS } from '@sluice/contract/durations';
import { type Repeated, repeat } from '@sluice/runtime/timing/repeat';

export interface ForgetRotatedDeps extends ForgetSecretsDeps {
  /** Called on failure. The next run tries again. */
  readonly onForgetFailed: (error: unknown) => void;
}

const EVERY_MS = MINUTE_MS;

/** Deletes expired previous secrets, every minute. */
export function startForgettingRotated(deps: ForgetRotatedDeps): Repeated {
  return repeat({ run: () => forgetSecrets(deps), everyMs: EVERY_MS, onError: deps.onForgetFailed });
}
