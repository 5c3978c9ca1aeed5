import { setImmediate as endOfTurn, setTimeout as pause } from 'node:timers/promises';
import { countWithin, type Limits } from '@sluice/contract/within-limits';

/** What became of an item: its result, or no answer in time. */
export type Committed<Result> =
  | { readonly status: 'committed'; readonly result: Result }
  | { readonly status: 'unavailable' };

export interface GroupCommitOptions<Item, Result> {
  /** Commits a whole group, one result for each item. Rejects when it cannot say whether it did. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly bytesOf: (item: Item) => number;
  readonly onError: (error: unknown, items: number) => void;
  /** Limits of one group. One item is always taken, whatever its size. */
  readonly maxItems: number;
  readonly maxBytes: number;
  /** Items that may wait for the next group; one more is unavailable at once. */
  readonly maxWaiting: number;
  /** A group begins so long after the one before at the earliest: where larger groups are worth a wait. 0 if left out. */
  readonly apartMs?: number;
}

export interface GroupCommit<Item, Result> {
  /** Resolves by `deadlineMs` (performance.now()'s; looked at every 50 ms), be it to `unavailable`. */
  submit(item: Item, deadlineMs: number): Promise<Committed<Result>>;
  /** Resolves once nothing waits and nothing is under way. */
  idle(): Promise<void>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly deadlineMs: number;
  readonly settle: (committed: Committed<Result>) => void;
  settled: boolean;
}

const SWEEP_MS = 50;
/** A whole group's answers would make that turn of the event loop a long one, and each accepts one connection (bounded-turns.ts). */
const SETTLED_A_TURN = 64;
const UNAVAILABLE = { status: 'unavailable' } as const;

/**
 * Group commit: items that arrive while a commit is under way wait for the next one, which takes all that wait.
 * There is no timer to tune: alone, an item is committed at once; the busier it gets, the larger the groups.
 * (With `apartMs` the first of many is, and the others in groups so far apart.)
 */
export function createGroupCommit<Item, Result>(
  options: GroupCommitOptions<Item, Result>,
): GroupCommit<Item, Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let inFlight: Waiting<Item, Result>[] = [];
  /** Tell what is known by now, in the order of the items. */
  const tellings: (() => void)[] = [];
  let running: Promise<void> | undefined;
  let sweeper: NodeJS.Timeout | undefined;
  const { apartMs = 0 } = options;
  let begunAt = Number.NEGATIVE_INFINITY;

  const limits: Limits<Waiting<Item, Result>> = {
    sizeOf: ({ item }) => options.bytesOf(item),
    maxItems: options.maxItems,
    maxSize: options.maxBytes,
  };
  const dropSettled = (): void => {
    waiting = waiting.filter((entry) => !entry.settled);
  };
  const takeGroup = (): Waiting<Item, Result>[] => {
    // Whoever has been told "unavailable" already may send again: do not commit it behind its back.
    dropSettled();
    return waiting.splice(0, countWithin(waiting, limits));
  };

  const settleSome = (): void => {
    for (const tell of tellings.splice(0, SETTLED_A_TURN)) tell();
    if (tellings.length > 0) setImmediate(settleSome);
  };

  const commitGroup = async (group: Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await options.commit(group.map((entry) => entry.item));
      const others = tellings.length > 0;
      group.forEach((entry, i) => {
        tellings.push(() => settle(entry, { status: 'committed', result: results[i] as Result }));
      });
      // Else a turn to come does.
      if (!others) settleSome();
    } catch (error) {
      options.onError(error, group.length);
      for (const entry of group) settle(entry, UNAVAILABLE);
    }
  };

  const run = async (): Promise<void> => {
    for (;;) {
      // What is read from its socket in this turn of the event loop still joins the group, be it the turn in which the last
      // one came back: begun at once, two halves of the senders would take turns, and wait for each other (bench/speed-tried.md).
      await endOfTurn();
      const early = begunAt + apartMs - performance.now();
      if (early > 0) await pause(early);
      inFlight = takeGroup();
      if (inFlight.length === 0) break;
      begunAt = performance.now();
      await commitGroup(inFlight);
    }
    running = undefined;
    clearInterval(sweeper);
    sweeper = undefined;
  };

  // A frozen Redis answers nothing: whoever has waited too long is told so, whatever the commit does.
  const sweep = () => {
    const now = performance.now();
    for (const entry of [...inFlight, ...waiting]) if (entry.deadlineMs <= now) settle(entry, UNAVAILABLE);
    dropSettled();
  };

  return {
    submit(item, deadlineMs) {
      if (waiting.length >= options.maxWaiting) return Promise.resolve(UNAVAILABLE);
      return new Promise((resolve) => {
        waiting.push({ item, deadlineMs, settle: resolve, settled: false });
        sweeper ??= setInterval(sweep, SWEEP_MS);
        running ??= run();
      });
    },
    async idle() {
      while (running !== undefined || tellings.length > 0) await (running ?? endOfTurn());
    },
  };
}

function settle<Item, Result>(entry: Waiting<Item, Result>, committed: Committed<Result>): void {
  entry.settled = true;
  entry.settle(committed);
}
