/** Submits items, and resolves to the result of the run that handled them. */
export type Submit<Item, Result> = (items: readonly Item[]) => Promise<Result>;

interface Waiting<Item, Result> {
  readonly items: readonly Item[];
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

const MOST_ITEMS = 1000;

/**
 * Group commit: items that arrive during a run wait for the next one, which handles all of them. So the accounts of a busy
 * process share round trips, and none waits for another one's fence. A run always begins after its items were submitted, so a read
 * returns nothing that was removed before. `mostItems`: limit of one run. A single submission with more is a separate run.
 */
export function coalesced<Item, Result>(
  run: Submit<Item, Result>,
  mostItems = MOST_ITEMS,
): Submit<Item, Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let running = false;

  const take = (): Waiting<Item, Result>[] => {
    let items = 0;
    const end = waiting.findIndex((one, index) => {
      items += one.items.length;
      return index > 0 && items > mostItems;
    });
    const taken = end < 0 ? waiting : waiting.slice(0, end);
    waiting = end < 0 ? [] : waiting.slice(end);
    return taken;
  };

  async function handleAll(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      const taken = take();
      try {
        const result = await run(taken.flatMap(({ items }) => items));
        for (const { resolve } of taken) resolve(result);
      } catch (error) {
        for (const { reject } of taken) reject(error);
      }
    }
    running = false;
  }

  return (items) =>
    new Promise((resolve, reject) => {
      waiting.push({ items, resolve, reject });
      // After the current task, so that submissions of the same task share the first run.
      if (!running) queueMicrotask(() => running || void handleAll());
    });
}
