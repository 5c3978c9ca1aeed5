import { setImmediate as endOfTurn, setTimeout as sleep } from 'node:timers/promises';
import { countWithin, type Limits } from '@sluice/contract/delivery/within-limits';

export interface BatcherOptions<Item, Result> {
  /** Handles a batch. It resolves to one result for each item, in their order. If it rejects, each submission rejects. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Limits of one batch. A single item may be larger. */
  readonly maxItems: number;
  /** The size of an item, if `maxSize` limits batches too. */
  readonly sizeOf?: (item: Item) => number;
  readonly maxSize?: number;
  /** The maximum number of concurrent runs. Default 1: items that arrive during a run wait for the next one. */
  readonly maxRunning?: number;
  /** The share of a batch that must wait before it runs beside another one. Default 0: one item is enough. */
  readonly besideFrom?: number;
  /** The minimum time between the starts of two runs, for larger batches. Milliseconds; default 0. */
  readonly apartMs?: number;
  /** Delays a batch while further items are about to arrive. Undefined: they are not. */
  readonly gather?: (() => Promise<unknown> | undefined) | undefined;
  /** For items with a deadline, and for a bound on how many wait. */
  readonly late?: {
    /** The result of an item that has none at its deadline, or that finds `maxWaiting` items waiting. */
    readonly result: Result;
    readonly maxWaiting: number;
  };
}

export interface Batcher<Item, Result> {
  /**
   * Resolves to the result of the item. With the option `late` it resolves by `deadlineMs` (of performance.now(), checked
   * every 50 ms). An item that is late before its run is not run later, because its owner may submit it again.
   */
  submit(item: Item, deadlineMs?: number): Promise<Result>;
  /** Resolves once no item waits and no run is under way. */
  idle(): Promise<void>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly deadlineMs: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

const SWEEP_MS = 50;
/** All results of a batch at once would make a long turn of the event loop, and each turn accepts one connection (libuv/libuv#3696). */
const SETTLED_A_TURN = 64;

/**
 * Group commit: items share runs, such as round trips to a database. There is no timer to tune. A single item runs at the end
 * of its turn of the event loop, and batches grow with the load: a busy process has longer turns, and items wait for the run
 * before them. A run begins after its items were submitted, so a read never returns what was stored before it was asked for.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  const { run, maxItems, maxRunning = 1, besideFrom = 0, apartMs = 0, gather, late } = options;
  const { sizeOf = () => 0, maxSize = 0 } = options;
  let waiting: Waiting<Item, Result>[] = [];
  const running = new Map<readonly Waiting<Item, Result>[], Promise<void>>();
  /** They settle items with known results, in the order of the items. */
  const settlements: (() => void)[] = [];
  /** The one loop that begins runs. */
  let beginning: Promise<void> | undefined;
  let sweeper: NodeJS.Timeout | undefined;
  let begunAt = Number.NEGATIVE_INFINITY;

  const limits: Limits<Waiting<Item, Result>> = {
    sizeOf: ({ item }) => sizeOf(item),
    maxItems,
    maxSize,
  };
  const enoughBeside = { ...limits, maxItems: maxItems * besideFrom, maxSize: maxSize * besideFrom };

  function mayBegin(): boolean {
    if (waiting.length === 0 || running.size >= maxRunning) return false;
    return running.size === 0 || besideFrom === 0 || countWithin(waiting, enoughBeside) < waiting.length;
  }

  function wake(): void {
    if (beginning === undefined && mayBegin()) beginning = beginRuns();
  }

  async function beginRuns(): Promise<void> {
    while (mayBegin()) {
      // Items of this turn of the event loop still join the batch. Without this wait, two halves of the senders would
      // alternate and wait for each other (bench/speed-tried.md).
      await endOfTurn();
      const early = begunAt + apartMs - performance.now();
      if (early > 0) await sleep(early);
      await gather?.();
      do {
        const batch = waiting.splice(0, countWithin(waiting, limits));
        if (batch.length > 0) begin(batch);
      } while (apartMs === 0 && mayBegin());
    }
    beginning = undefined;
  }

  function begin(batch: readonly Waiting<Item, Result>[]): void {
    begunAt = performance.now();
    const handled = handle(batch).finally(() => {
      running.delete(batch);
      wake();
    });
    running.set(batch, handled);
  }

  async function handle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      // If others are being settled, a later turn settles these.
      const isFirst = settlements.length === 0;
      batch.forEach(({ resolve }, i) => {
        settlements.push(() => resolve(results[i] as Result));
      });
      if (isFirst) settleSome();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  function settleSome(): void {
    for (const settle of settlements.splice(0, SETTLED_A_TURN)) settle();
    if (settlements.length > 0) setImmediate(settleSome);
  }

  /** A frozen server never responds, so an item is late at its deadline even while its run is under way. */
  function sweep(): void {
    const now = performance.now();
    const isLate = ({ deadlineMs }: Waiting<Item, Result>) => deadlineMs <= now;
    for (const batch of [...running.keys(), waiting])
      for (const one of batch) if (isLate(one)) one.resolve(late?.result as Result);
    waiting = waiting.filter((one) => !isLate(one));
    if (waiting.length + running.size > 0) return;
    clearInterval(sweeper);
    sweeper = undefined;
  }

  return {
    submit(item, deadlineMs = Number.POSITIVE_INFINITY) {
      if (late !== undefined && waiting.length >= late.maxWaiting) return Promise.resolve(late.result);
      return new Promise((resolve, reject) => {
        waiting.push({ item, deadlineMs, resolve, reject });
        if (late !== undefined) sweeper ??= setInterval(sweep, SWEEP_MS);
        wake();
      });
    },
    async idle() {
      while (waiting.length + running.size + settlements.length > 0) {
        await Promise.all([beginning, ...running.values()]);
        await endOfTurn();
      }
    },
  };
}

/**
 * Batches lists: each run handles the lists of several submissions as one, and has one result for all of them. Runs follow one
 * another. `maxItems` limits the items of one run. A single list with more is a separate run.
 */
export function batchLists<Item, Result>(
  run: (items: readonly Item[]) => Promise<Result>,
  { maxItems = 1000, gather }: Partial<Pick<BatcherOptions<Item, Result>, 'maxItems' | 'gather'>> = {},
): (items: readonly Item[]) => Promise<Result> {
  const { submit } = createBatcher<readonly Item[], Result>({
    async run(lists) {
      const result = await run(lists.flat());
      return lists.map(() => result);
    },
    maxItems: Number.POSITIVE_INFINITY,
    sizeOf: (items) => items.length,
    maxSize: maxItems,
    gather,
  });
  return (items) => submit(items);
}
