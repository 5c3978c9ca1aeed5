import { type ForgetSecretsDeps, forgetSecrets } from '@sluice/accounts/secrets/rotate-secret';
import { type SweepDeletedDeps, sweepDeletedSource } from '@sluice/accounts/sources/sweep-deleted-source';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import { type Repeated, repeat } from '@sluice/runtime/timing/repeat';

interface ForgetRotatedDeps extends ForgetSecretsDeps {
  /** Called on failure. The next run tries again. */
  readonly onForgetFailed: (error: unknown) => void;
}

const FORGET_EVERY_MS = MINUTE_MS;

/** Deletes expired previous secrets, every minute. */
export function startForgettingRotated(deps: ForgetRotatedDeps): Repeated {
  return repeat({ run: () => forgetSecrets(deps), everyMs: FORGET_EVERY_MS, onError: deps.onForgetFailed });
}

interface SweepDeletedSettings extends SweepDeletedDeps {
  /** Called on failure. The next run tries again. */
  readonly onSweepFailed: (error: unknown) => void;
}

const SWEEP_EVERY_MS = 10_000;

/** Removes what deleted sources left behind: now and then, and when a deletion calls `runNow`. */
export function startSweepingDeleted({ onSweepFailed, ...deps }: SweepDeletedSettings): Repeated {
  const sweep = async (isStopped: () => boolean) => {
    while (!isStopped() && (await sweepDeletedSource(deps)));
  };
  return repeat({ run: sweep, everyMs: SWEEP_EVERY_MS, onError: onSweepFailed });
}
