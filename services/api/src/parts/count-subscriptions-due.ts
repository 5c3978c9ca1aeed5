import type { SubscriptionsDue } from '@sluice/dashboard-api/ops';
import type { Turns } from '@sluice/outbound/queue/turn';
import type { Shards } from '@sluice/redis/shards/shards';

export type CountSubscriptionsDue = () => Promise<SubscriptionsDue>;

interface CountSubscriptionsDueDeps {
  readonly countDue: Turns['countDue'];
  readonly shards: Pick<Shards, 'all'>;
}

/** Counts the subscriptions of all accounts that wait for a dispatcher. */
export function createCountSubscriptionsDue({
  countDue,
  shards,
}: CountSubscriptionsDueDeps): CountSubscriptionsDue {
  return async () => {
    const counts = await Promise.all(shards.all.map((_, shard) => countDue(shard)));
    const due = counts.reduce((sum, one) => sum + one.subscriptions, 0);
    return { due, oldest_due_ms: due === 0 ? null : Math.max(...counts.map(({ oldestMs }) => oldestMs)) };
  };
}

/** Dispatchers take what is due within milliseconds, and after a kill within 10 s. */
const OVERDUE_MS = 30_000;

/** Whether what is due has waited so long that no dispatcher can be at work. null: nothing waits. */
export function isOverdue(oldestDueMs: number | null): oldestDueMs is number {
  return oldestDueMs !== null && oldestDueMs >= OVERDUE_MS;
}
