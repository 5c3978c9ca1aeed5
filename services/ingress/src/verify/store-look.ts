import { createGroupCommit } from '../enqueue/group-commit.ts';

export interface StoreLookDeps {
  /** Which of these sources MongoDB has. */
  readonly existingSources: (sourceIds: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** Whether MongoDB has a source. Rejects where it does not answer within the deadline (performance.now()'s milliseconds). */
export type StoreLook = (sourceId: string, deadlineMs: number) => Promise<boolean>;

/** Ids that one query asks about, at most. */
export const IDS_IN_A_LOOK = 500;
/** Milliseconds from the beginning of a query to that of the next, at least: 50 queries a second. */
const LOOKS_APART_MS = 20;
const MAX_WAITING = 10_000;

type Look = { readonly exists: boolean } | { readonly error: unknown };

/**
 * Looks for sources that Redis does not know. Anybody can make up ids, so ids are asked about together: a flood of them is
 * 50 queries a second at most. A bound on ids would lock out a source that is there: together they are 25,000 a second,
 * which is more than a process receives. A checksum in ids would not help, as anybody can compute it.
 */
export function createStoreLook({ existingSources }: StoreLookDeps): StoreLook {
  const looks = createGroupCommit<string, Look>({
    async commit(sourceIds) {
      try {
        const existing = await existingSources(sourceIds);
        return sourceIds.map((sourceId) => ({ exists: existing.has(sourceId) }));
      } catch (error) {
        return sourceIds.map(() => ({ error }));
      }
    },
    bytesOf: () => 0,
    onError: () => undefined,
    maxItems: IDS_IN_A_LOOK,
    maxBytes: 0,
    maxWaiting: MAX_WAITING,
    apartMs: LOOKS_APART_MS,
  });
  return async (sourceId, deadlineMs) => {
    const looked = await looks.submit(sourceId, deadlineMs);
    if (looked.status === 'unavailable') throw new Error('MongoDB was not asked about the source in time');
    if ('error' in looked.result) throw looked.result.error;
    return looked.result.exists;
  };
}
