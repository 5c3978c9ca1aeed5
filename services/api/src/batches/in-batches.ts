export interface BatchesOptions<Item, Result> {
  /** Resolves to one result for each item, in their order. If it rejects, every item of the batch rejects. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Limit of one batch. Further items wait for the next one. */
  readonly maxItems: number;
  /** A batch that takes longer than this delays no other. Milliseconds. */
  readonly patienceMs?: number;
}

/** Far above the time of a batch, and far below the time that a request may take (public/time-budget.ts). */
const PATIENCE_MS = 50;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs items in batches: those that arrive during a batch wait, and the next batch has all of them. There is no timer to
 * tune. A single item runs at the end of this turn of the event loop, and batches grow with the load. A batch always
 * begins after its items arrived, so a read never returns what was stored before it was asked for.
 */
export function inBatches<Item, Result>({
  run,
  maxItems,
  patienceMs = PATIENCE_MS,
}: BatchesOptions<Item, Result>): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  /** A batch is under way or about to begin, and the next one waits for it. */
  let held = false;

  function beginSoon(): void {
    held = true;
    // Requests that are read in this turn of the event loop still join the batch.
    setImmediate(begin);
  }

  function begin(): void {
    const batch = waiting.slice(0, maxItems);
    waiting = waiting.slice(maxItems);
    let passed = false;
    const passOn = () => {
      if (passed) return;
      passed = true;
      clearTimeout(patience);
      held = false;
      if (waiting.length > 0) beginSoon();
    };
    const patience = setTimeout(passOn, patienceMs);
    void settle(batch).then(passOn);
  }

  async function settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, i) => {
        resolve(results[i] as Result);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!held) beginSoon();
    });
}
