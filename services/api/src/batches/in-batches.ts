export interface BatchesOptions<Item, Result> {
  /** Resolves to one result for each item, in their order. If it rejects, every item of the batch rejects. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Limit of one batch. Further items go into a second one. */
  readonly maxItems: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs the items of one turn of the event loop as a batch. There is no timer to tune: a busy process has longer turns, so its
 * batches are larger, and a slow batch delays no other one. A batch always begins after its items arrived, so a read never
 * returns what was stored before it was asked for.
 */
export function inBatches<Item, Result>({
  run,
  maxItems,
}: BatchesOptions<Item, Result>): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];

  function begin(): void {
    const all = waiting;
    waiting = [];
    for (let from = 0; from < all.length; from += maxItems) void settle(all.slice(from, from + maxItems));
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
      // Requests that are read in this turn of the event loop still join the batch.
      if (waiting.length === 1) setImmediate(begin);
    });
}
