import type { Outcome } from './delivery.ts';

/** The signed requests whose bodies a source stores (up to 64 KiB, as long as the delivery log). */
export const BODY_STORAGES = ['none', 'failures', 'all'] as const;
export type BodyStorage = (typeof BODY_STORAGES)[number];

/** Returns whether a request was rejected, or could never be applied. */
export function isFailure(outcome: Outcome): boolean {
  return outcome === 'rejected' || outcome === 'failed';
}
