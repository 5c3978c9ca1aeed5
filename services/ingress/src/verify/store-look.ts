import { createBatcher } from '@sluice/runtime/timing/batcher';

export interface StoreLookDeps {
  /** Returns the ids that MongoDB has. */
  readonly existingSources: (sourceIds: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** Resolves to whether MongoDB has a source. It rejects without a response by the deadline (milliseconds of performance.now()). */
export type StoreLook = (sourceId: string, deadlineMs: number) => Promise<boolean>;

/** The maximum number of ids in one query. */
export const IDS_IN_A_LOOK = 500;
/** The minimum time between the starts of two queries: 50 queries a second. Milliseconds. */
const LOOKS_APART_MS = 20;
const MAX_WAITING = 10_000;

type Look = { readonly exists: boolean } | { readonly error: unknown };

const LATE: Look = { error: new Error('MongoDB was not asked about the source in time') };

/**
 * Looks for sources that Redis does not have. Anyone can invent ids, so many ids share a query: a flood of them is 50 queries
 * a second at most. A limit of ids would lock out real sources. 50 queries cover 25,000 ids a second, which is more than a
 * process receives. A checksum in ids would not help, because anyone can compute it.
 */
export function createStoreLook({ existingSources }: StoreLookDeps): StoreLook {
  const looks = createBatcher<string, Look>({
    async run(sourceIds) {
      try {
        const existing = await existingSources(sourceIds);
        return sourceIds.map((sourceId) => ({ exists: existing.has(sourceId) }));
      } catch (error) {
        return sourceIds.map(() => ({ error }));
      }
    },
    maxItems: IDS_IN_A_LOOK,
    apartMs: LOOKS_APART_MS,
    late: { result: LATE, maxWaiting: MAX_WAITING },
  });
  return async (sourceId, deadlineMs) => {
    const looked = await looks.submit(sourceId, deadlineMs);
    if ('error' in looked) throw looked.error;
    return looked.exists;
  };
}
