import { countWithin, type Limits } from '@sluice/contract/within-limits';

export interface GroupCommitOptions<Item> {
  /** Handles items together. Where it rejects, each of their submissions does. */
  readonly run: (items: readonly Item[]) => Promise<void>;
  readonly weightOf: (item: Item) => number;
  /** Limits of what is handled together. One item is always taken, whatever its weight. */
  readonly maxItems: number;
  readonly maxWeight: number;
  /** How many runs may be under way at a time: more than one only where more waits than half of what a run may hold. */
  readonly abreast: number;
}

/** Resolves once the item was handled. */
export type Submit<Item> = (item: Item) => Promise<void>;

interface Waiting<Item> {
  readonly item: Item;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * What comes while a run is under way waits for the next one, which takes all that waits: the worker's side of group
 * commit. Many small jobs then cost the database as little as a few large ones, and one alone waits for nothing. While
 * little waits, two runs abreast would only be twice as many small ones.
 */
export function createGroupCommit<Item>(options: GroupCommitOptions<Item>): Submit<Item> {
  const { run, abreast } = options;
  const waiting: Waiting<Item>[] = [];
  let running = 0;

  const limits: Limits<Waiting<Item>> = {
    sizeOf: ({ item }) => options.weightOf(item),
    maxItems: options.maxItems,
    maxSize: options.maxWeight,
  };
  const half = { ...limits, maxItems: limits.maxItems / 2, maxSize: limits.maxSize / 2 };
  const muchWaits = (): boolean => countWithin(waiting, half) < waiting.length;
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
    if (running === abreast || waiting.length === 0) return;
    if (running > 0 && !muchWaits()) return;
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
