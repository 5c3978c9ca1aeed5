import { setImmediate as endOfTurn, setTimeout as sleep } from 'node:timers/promises';
import { countWithin, type Limits } from '@sluice/contract/within-limits';

/** The result of an item, or `unavailable` if there was none in time. */
export type Committed<Result> =
  | { readonly status: 'committed'; readonly result: Result }
  | { readonly status: 'unavailable' };

export interface GroupCommitOptions<Item, Result> {
  /** Commits a whole group, and resolves to one result for each item. It rejects if the outcome is unknown. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly bytesOf: (item: Item) => number;
  readonly onError: (error: unknown, items: number) => void;
  /** Limits of one group. A single item may be larger. */
  readonly maxItems: number;
  readonly maxBytes: number;
  /** The maximum number of waiting items. Further ones are unavailable at once. */
  readonly maxWaiting: number;
  /** The minimum time between the starts of two groups, for larger groups. Milliseconds; default 0. */
  readonly apartMs?: number;
}

export interface GroupCommit<Item, Result> {
  /** Resolves by `deadlineMs` (of performance.now(), checked every 50 ms), to `unavailable` if there is no result yet. */
  submit(item: Item, deadlineMs: number): Promise<Committed<Result>>;
  /** Resolves once no item waits and no commit is running. */
  idle(): Promise<void>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly deadlineMs: number;
  readonly settle: (committed: Committed<Result>) => void;
  settled: boolean;
}

const SWEEP_MS = 50;
/** All results of a group at once would make a long turn of the event loop, and each turn accepts one connection (bounded-turns.ts). */
const SETTLED_A_TURN = 64;
const UNAVAILABLE = { status: 'unavailable' } as const;

/**
 * Group commit: items that arrive during a commit wait, and the next commit has all of them.
 * There is no timer to tune. A single item is committed at once, and groups grow with the load.
 * With `apartMs`, the first item is committed at once, and later groups start at least that far apart.
 */
export function createGroupCommit<Item, Result>(
  options: GroupCommitOptions<Item, Result>,
): GroupCommit<Item, Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let inFlight: Waiting<Item, Result>[] = [];
  /** They settle items with known results, in the order of the items. */
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
    // A sender with the response "unavailable" may retry, so its item must not be committed later.
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
      // Otherwise a later turn settles them.
      if (!others) settleSome();
    } catch (error) {
      options.onError(error, group.length);
      for (const entry of group) settle(entry, UNAVAILABLE);
    }
  };

  const run = async (): Promise<void> => {
    for (;;) {
      // Requests that are read in this turn of the event loop still join the group. Without this wait, two halves of the
      // senders would alternate and wait for each other (bench/speed-tried.md).
      await endOfTurn();
      const early = begunAt + apartMs - performance.now();
      if (early > 0) await sleep(early);
      inFlight = takeGroup();
      if (inFlight.length === 0) break;
      begunAt = performance.now();
      await commitGroup(inFlight);
    }
    running = undefined;
    clearInterval(sweeper);
    sweeper = undefined;
  };

  // A frozen Redis never responds, so an item is unavailable at its deadline even while its commit runs.
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
