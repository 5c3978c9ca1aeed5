import { countWithin, type Limits } from '@sluice/contract/within-limits';

export interface GroupCommitOptions<Item> {
  /** Handles several items in one run. If it rejects, each of their submissions rejects. */
  readonly run: (items: readonly Item[]) => Promise<void>;
  readonly weightOf: (item: Item) => number;
  /** Limits of a run. The first item is always included, even if it is heavier. */
  readonly maxItems: number;
  readonly maxWeight: number;
  /** Maximum number of concurrent runs. A second run starts only if more than half a run is waiting. */
  readonly maxConcurrent: number;
}

/** Resolves once the item is handled. */
export type Submit<Item> = (item: Item) => Promise<void>;

interface Waiting<Item> {
  readonly item: Item;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit in the worker: items that arrive during a run wait for the next one, which takes all of them. So many
 * small jobs cost the database as little as a few large ones, and a single job doesn't wait. With few waiting items, a
 * second concurrent run would only make the runs smaller.
 */
export function createGroupCommit<Item>(options: GroupCommitOptions<Item>): Submit<Item> {
  const { run, maxConcurrent } = options;
  const waiting: Waiting<Item>[] = [];
  let running = 0;

  const limits: Limits<Waiting<Item>> = {
    sizeOf: ({ item }) => options.weightOf(item),
    maxItems: options.maxItems,
    maxSize: options.maxWeight,
  };
  const half = { ...limits, maxItems: limits.maxItems / 2, maxSize: limits.maxSize / 2 };
  const hasEnoughForSecondRun = (): boolean => countWithin(waiting, half) < waiting.length;
  const take = (): Waiting<Item>[] => waiting.splice(0, countWithin(waiting, limits));

  const handle = async (taken: readonly Waiting<Item>[]): Promise<void> => {
    try {
      await run(taken.map(({ item }) => item));
      for (const { resolve } of taken) resolve();
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
  };

  const next = (): void => {
    if (running === maxConcurrent || waiting.length === 0) return;
    if (running > 0 && !hasEnoughForSecondRun()) return;
    running += 1;
    void handle(take()).finally(() => {
      running -= 1;
      next();
    });
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      next();
    });
}
