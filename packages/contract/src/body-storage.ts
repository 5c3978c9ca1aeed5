import type { Outcome } from './delivery.ts';

/** The signed requests whose bodies a source stores (up to 64 KiB, as long as the delivery log). */
export const BODY_STORAGES = ['none', 'failures', 'all'] as const;
export type BodyStorage = (typeof BODY_STORAGES)[number];

/** The setting in a stored or published source, for this version and the previous one. */
export interface StoredBodyStorage {
  /** Absent if the previous version wrote the source. */
  readonly body_storage?: BodyStorage;
  /** The setting of the previous version. Absent in older sources, which means yes. */
  readonly keep_bodies?: boolean;
}

/**
 * The setting for both versions. The previous version cannot store failures only, so it stores none: never more than the
 * admin allows.
 */
export function storedBodyStorage(body_storage: BodyStorage): Required<StoredBodyStorage> {
  return { body_storage, keep_bodies: body_storage === 'all' };
}

/** If the two fields contradict each other, the previous version has changed `keep_bodies` last. */
export function bodyStorageOf({ body_storage = 'all', keep_bodies }: StoredBodyStorage): BodyStorage {
  if (keep_bodies ?? body_storage === 'all') return 'all';
  return body_storage === 'failures' ? 'failures' : 'none';
}

/** Returns whether a request was rejected, or could never be applied. */
export function isFailure(outcome: Outcome): boolean {
  return outcome === 'rejected' || outcome === 'failed';
}
