import type { OverflowRow, OverflowStore } from '@sluice/contract/subscription/mailbox-overflow';

/** Dies like a process: before a write, or after it. */
export class CrashError extends Error {}

/** The part of mailboxes in MongoDB, in memory. `crashes` decides at each write whether its process dies. */
export function overflowInMemory(crashes: () => 'before' | 'after' | undefined = () => undefined) {
  const rows = new Map<string, OverflowRow>();
  const writing = (write: () => void) => {
    const crash = crashes();
    if (crash === 'before') throw new CrashError(crash);
    write();
    if (crash === 'after') throw new CrashError(crash);
  };
  const store: OverflowStore = {
    async insertRows(added) {
      writing(() => {
        for (const row of added) {
          const id = `${row.subscriptionId}:${row.era}:${row.epoch}:${row.number}`;
          if (!rows.has(id)) rows.set(id, row);
        }
      });
    },
    async readRows({ subscriptionId, era, from, to, limit }) {
      return [...rows.values()]
        .filter((row) => row.subscriptionId === subscriptionId && row.era === era)
        .filter(({ number }) => number >= from && number <= to)
        .sort((a, b) => a.number - b.number)
        .slice(0, limit);
    },
    async removeRows({ subscriptionId, era, epoch, from, to }) {
      writing(() => {
        for (const [id, row] of rows)
          if (
            row.subscriptionId === subscriptionId &&
            row.era === era &&
            row.number >= from &&
            row.number <= to &&
            row.epoch <= epoch
          )
            rows.delete(id);
      });
    },
    async containsMessage({ subscriptionId, era, messageId, from, to }) {
      return [...rows.values()].some(
        (row) =>
          row.subscriptionId === subscriptionId &&
          row.era === era &&
          row.messageId === messageId &&
          row.number >= from &&
          row.number <= to,
      );
    },
    async newestRows({ subscriptionId, era, from, to, before, limit }) {
      const later = (a: Pick<OverflowRow, 'pushedAt' | 'messageId'>, b: typeof a) =>
        b.pushedAt - a.pushedAt || (a.messageId > b.messageId ? -1 : 1);
      return [...rows.values()]
        .filter((row) => row.subscriptionId === subscriptionId && row.era === era)
        .filter(({ number }) => number >= from && number <= to)
        .filter((row) => before === undefined || later(before, row) < 0)
        .sort(later)
        .slice(0, limit);
    },
  };
  return { store, rows: () => [...rows.values()] };
}
