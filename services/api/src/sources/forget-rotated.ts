import { type ForgetSecretsDeps, forgetSecrets } from '@sluice/management/forget-secrets';

export interface ForgetRotatedDeps extends ForgetSecretsDeps {
  /** Told where it could not be done; it is tried again. */
  readonly onForgetFailed: (error: unknown) => void;
}

const EVERY_MS = 60_000;

/** Deletes the secrets that were rotated long ago, every minute until it is stopped. */
export function forgetRotated(deps: ForgetRotatedDeps): { stop(): void } {
  const run = () => forgetSecrets(deps).catch(deps.onForgetFailed);
  const timer = setInterval(() => void run(), EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
