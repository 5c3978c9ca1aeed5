import type { OverflowRow, OverflowStore } from '@sluice/contract/subscription/mailbox-overflow';
import type { Shards } from '@sluice/redis/shards/shards';
import { withScripts } from '@sluice/redis/with-scripts';
import type { Redis } from 'ioredis';
import { readEntry } from './entry.ts';
import { KEPT_ENTRIES, LOADED_ROWS_MS, MOVED_AT_ONCE, SPILLED_AT, TIGHT } from './limits.ts';
import { LOADED, LOADED_WHEN_FULL, RANGE, SPILL_READ, SPILLED } from './overflow.lua.ts';

/** How many entries stay in Redis. */
export interface OverflowLimits {
  readonly usual: number;
  readonly probed: number;
  readonly spilledAt: number;
  /** Entries of one move. */
  readonly movedAtOnce: number;
  /** How long rows stay in MongoDB after their entries have come back. Milliseconds. */
  readonly loadedRowsMs: number;
}

export const OVERFLOW_LIMITS: OverflowLimits = {
  ...KEPT_ENTRIES,
  spilledAt: SPILLED_AT,
  movedAtOnce: MOVED_AT_ONCE,
  loadedRowsMs: LOADED_ROWS_MS,
};

/** The numbers of the entries of a mailbox that are in MongoDB, and the mailbox that they belong to. */
export interface OverflowRange {
  readonly from: number;
  readonly to: number;
  readonly era: string;
}

/** The range as scripts return it. Empty: nothing is in MongoDB. */
export type RangeReply = [] | [from: number, to: number, era: string];

export function readRange(reply: RangeReply): OverflowRange | undefined {
  return reply.length === 0 ? undefined : { from: reply[0], to: reply[1], era: reply[2] };
}

/** Moves entries between Redis and MongoDB. */
export interface Overflow {
  readonly limits: OverflowLimits;
  /** Moves what is over the limits of a mailbox to MongoDB. Never rejects: what it could not move, the next spill moves. */
  spill(accountId: string, subscriptionId: string): Promise<void>;
  /** Moves the first entries in MongoDB to Redis: for a turn, or to the discarded ones. A turn gets few while Redis is full. Returns how many. */
  load(
    accountId: string,
    subscriptionId: string,
    range: OverflowRange,
    to: { readonly token: string } | 'discarded',
  ): Promise<number>;
  range(accountId: string, subscriptionId: string): Promise<OverflowRange | undefined>;
  /** Whether a message waits in MongoDB. */
  contains(accountId: string, subscriptionId: string, messageId: string): Promise<boolean>;
}

type LoadedRows = Parameters<OverflowStore['removeRows']>[0];

interface Load {
  readonly accountId: string;
  readonly subscriptionId: string;
  readonly range: OverflowRange;
  /** The token of the turn; '' discards the entries. */
  readonly token: string;
}

type SpillReply = [place: string, epoch: number, era: string, entries: string[], oldTo: number];

interface OverflowCommands {
  sluiceSpillRead(key: string, ...args: (string | number)[]): Promise<SpillReply>;
  sluiceSpilled(key: string, ...args: (string | number)[]): Promise<number>;
  sluiceLoaded(key: string, ...args: (string | number)[]): Promise<number>;
  sluiceLoadedWhenFull(key: string, ...args: (string | number)[]): Promise<number>;
  sluiceOverflowRange(key: string, ...args: string[]): Promise<RangeReply>;
}

/** Others move entries of the same mailbox at the same time. What is left is moved by the next push. */
const MOST_MOVES = 50;

export function createOverflow({
  redis,
  shards,
  store,
  limits = OVERFLOW_LIMITS,
  onSpillFailed,
}: {
  redis: Redis;
  shards: Shards;
  store: OverflowStore;
  limits?: OverflowLimits | undefined;
  /** Called with the error of each spill that failed. */
  onSpillFailed?: ((error: unknown) => void) | undefined;
}): Overflow {
  const commands = withScripts<OverflowCommands>(redis, {
    sluiceSpillRead: SPILL_READ,
    sluiceSpilled: SPILLED,
    sluiceLoaded: LOADED,
    sluiceLoadedWhenFull: LOADED_WHEN_FULL,
    sluiceOverflowRange: RANGE,
  });
  const keyOf = (accountId: string, id: string) => {
    const { mailbox, prefix } = shards.of(accountId);
    return [mailbox(id), prefix, id] as const;
  };

  const spillAll = async (accountId: string, subscriptionId: string) => {
    const key = keyOf(accountId, subscriptionId);
    for (let moves = 0; moves < MOST_MOVES; moves++) {
      const most = [limits.probed, limits.spilledAt, limits.movedAtOnce];
      const [place, epoch, era, entries, oldTo] = await commands.sluiceSpillRead(...key, ...most);
      if (entries.length === 0) return;
      await store.insertRows(entries.map((entry) => rowOf(entry, { subscriptionId, era, epoch })));
      const first = entries[0] as string;
      // A message whose entry came back and was dropped by a redelivery still has its old row. It must not wait again.
      const old = { subscriptionId, era, epoch: epoch - 1, from: readEntry(first).number, to: oldTo };
      if (oldTo > 0) await store.removeRows(old);
      const ends = [first, entries.at(-1) as string, entries.length];
      await commands.sluiceSpilled(...key, place, epoch, ...ends);
    }
  };

  const rangeOf = async (accountId: string, subscriptionId: string): Promise<OverflowRange | undefined> => {
    return readRange(await commands.sluiceOverflowRange(...keyOf(accountId, subscriptionId)));
  };

  /**
   * The rows of a process that ends before are removed after the next load of their mailbox, or they expire. Nothing reads them:
   * they are below the range, and a spill that moves its start down removes the old rows there.
   */
  const removeLater = (accountId: string, loaded: LoadedRows) => {
    const remove = async () => {
      const range = await rangeOf(accountId, loaded.subscriptionId);
      // Redis has lost the load, so it reads the rows again.
      if (range?.era === loaded.era && range.from <= loaded.to) return;
      await store.removeRows(loaded);
    };
    // A failure leaves the rows to the next load.
    setTimeout(() => void remove().catch(() => undefined), limits.loadedRowsMs).unref();
  };

  const loadAtMost = async (
    limit: number,
    whenFull: boolean,
    { accountId, subscriptionId, range: { from, to, era }, token }: Load,
  ) => {
    const rows = await store.readRows({ subscriptionId, era, from, to, limit });
    const entries = [...new Map(rows.map(({ number, entry }) => [number, entry])).values()];
    // All rows of the range were written before it was moved. What is missing has expired.
    const upTo = rows.length < limit ? to : (rows.at(-1) as OverflowRow).number;
    const args = [...keyOf(accountId, subscriptionId), token, from, upTo, ...entries] as const;
    const epoch = await (whenFull ? commands.sluiceLoadedWhenFull(...args) : commands.sluiceLoaded(...args));
    if (epoch < 0) return 0;
    removeLater(accountId, { subscriptionId, era, epoch, from: 0, to: upTo });
    return entries.length;
  };

  return {
    limits,
    range: rangeOf,
    async contains(accountId, subscriptionId, messageId) {
      const range = await rangeOf(accountId, subscriptionId);
      return range !== undefined && store.containsMessage({ subscriptionId, messageId, ...range });
    },
    async spill(accountId, subscriptionId) {
      try {
        await spillAll(accountId, subscriptionId);
      } catch (error) {
        onSpillFailed?.(error);
      }
    },
    async load(accountId, subscriptionId, range, target) {
      const token = target === 'discarded' ? '' : target.token;
      const loadSome = (limit: number, whenFull: boolean) =>
        loadAtMost(limit, whenFull, { accountId, subscriptionId, range, token });
      if (target === 'discarded') return loadSome(limits.movedAtOnce, true);
      try {
        return await loadSome(limits.movedAtOnce, false);
      } catch (error) {
        if (!isFull(error)) throw error;
        return loadSome(Math.min(limits.movedAtOnce, TIGHT.spilledAt), true);
      }
    },
  };
}

/** Whether Redis has reached its maxmemory. */
function isFull(error: unknown): boolean {
  return error instanceof Error && error.message.includes('OOM ');
}

function rowOf(entry: string, of: Pick<OverflowRow, 'subscriptionId' | 'era' | 'epoch'>): OverflowRow {
  const { number, messageId, pushedAt } = readEntry(entry);
  return { ...of, number, messageId, pushedAt, entry };
}
