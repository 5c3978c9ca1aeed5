import type { MailboxesDue } from '@sluice/dashboard-api/ops';
import type { Turns } from '@sluice/outbound/queue/turns';
import type { Shards } from '@sluice/redis/shards/shards';

export type CountMailboxesDue = () => Promise<MailboxesDue>;

export interface CountMailboxesDueDeps {
  readonly mailboxes: Pick<Turns, 'countDue'>;
  readonly shards: Pick<Shards, 'all'>;
}

/** Counts the mailboxes of all accounts that wait for a dispatcher. */
export function createCountMailboxesDue({ mailboxes, shards }: CountMailboxesDueDeps): CountMailboxesDue {
  return async () => {
    const counts = await Promise.all(shards.all.map((_, shard) => mailboxes.countDue(shard)));
    const due = counts.reduce((sum, one) => sum + one.mailboxes, 0);
    return { due, oldest_due_ms: due === 0 ? null : Math.max(...counts.map(({ oldestMs }) => oldestMs)) };
  };
}
