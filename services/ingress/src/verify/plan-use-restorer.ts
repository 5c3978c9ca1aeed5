import type { SourceRecord } from '@sluice/admission/source-record';
import { LRUCache } from 'lru-cache';

export interface PlanUseRestorer {
  /** Resolves once the use of the source's account is restored. Calls for one account share a count. */
  restore(record: SourceRecord): Promise<void>;
  /** Redis was away: it may have lost what was restored. */
  forget(): void;
}

export interface PlanUseRestorerDeps {
  /** Counts the use of the source's account, and restores it. */
  readonly count: (record: SourceRecord, nowMs: number) => Promise<void>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

const MAX_ACCOUNTS = 10_000;

/**
 * Counts the use of each account once for each run of Redis. A count reads up to the plan's limit of rows, and every source of
 * the account asks for it after Redis was away.
 */
export function createPlanUseRestorer({ count, now }: PlanUseRestorerDeps): PlanUseRestorer {
  const counts = new LRUCache<string, Promise<void>>({ max: MAX_ACCOUNTS });
  return {
    restore(record) {
      const nowMs = now();
      const month = new Date(nowMs).toISOString().slice(0, 7);
      const key = `${record.account_id} ${record.plan} ${month}`;
      const known = counts.get(key);
      if (known !== undefined) return known;
      const counting = count(record, nowMs);
      counts.set(key, counting);
      // The next source asks again after a failure, unless another count has begun since.
      counting.catch(() => {
        if (counts.peek(key) === counting) counts.delete(key);
      });
      return counting;
    },
    forget: () => counts.clear(),
  };
}
