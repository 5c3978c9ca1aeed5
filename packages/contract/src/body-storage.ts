import type { Outcome } from './delivery.ts';

/** Of which of its signed requests a source keeps the bodies (up to 64 KiB, as long as the delivery log). */
export const BODY_STORAGES = ['none', 'failures', 'all'] as const;
export type BodyStorage = (typeof BODY_STORAGES)[number];

/** What a stored or published source says of the bodies of its requests. */
export interface StoredBodyStorage {
  /** Absent where the version before wrote it. */
  readonly body_storage?: BodyStorage;
  /** All that the version before knows of it; absent in what is older still: yes. */
  readonly keep_bodies?: boolean;
}

/**
 * As both versions read it. What they cannot know they take for less than the admin allows: to the version before,
 * failures alone are none.
 */
export function storedBodyStorage(body_storage: BodyStorage): Required<StoredBodyStorage> {
  return { body_storage, keep_bodies: body_storage === 'all' };
}

/** Where the two contradict each other the version before has changed `keep_bodies` since, and knows of that alone. */
export function bodyStorageOf({ body_storage = 'all', keep_bodies }: StoredBodyStorage): BodyStorage {
  if (keep_bodies ?? body_storage === 'all') return 'all';
  return body_storage === 'failures' ? 'failures' : 'none';
}

/** Was it refused, or could it never be applied? */
export function isFailure(outcome: Outcome): boolean {
  return outcome === 'rejected' || outcome === 'failed';
}
