import { type ForgetSecretsDeps, forgetSecrets } from '@sluice/management/forget-secrets';

export interface ForgetRotatedDeps extends ForgetSecretsDeps {
  /** Called on failure. The next run tries again. */
  readonly onForgetFailed: (error: unknown) => void;
}

const EVERY_MS = 60_000;

/** Deletes expired previous secrets, every minute until stopped. */
export function forgetRotated(deps: ForgetRotatedDeps): { stop(): void } {
  const run = () => forgetSecrets(deps).catch(deps.onForgetFailed);
  const timer = setInterval(() => void run(), EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
