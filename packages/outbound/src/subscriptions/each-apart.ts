import { isMongoAway } from '@sluice/store/connection/mongo-away';

/**
 * A Redis that is frozen costs each item the timeout of a command. After this many such items, and no other, the rest is left to
 * the next time. One item may only have met a slow moment or, in a Cluster, one shard that is away.
 */
const MOST_TIMEOUTS = 5;

/**
 * Does the work of each item, one after the other. An item that fails does not keep the others from their work. Then throws one
 * error for all failures, with the first one as its cause. `nameOf` names an item in it. While MongoDB is away every item would
 * wait for it, so that error ends the work at once. So does Redis if the first items all time out.
 */
export async function eachApart<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<unknown>,
  nameOf: (item: Item) => string,
): Promise<void> {
  const failures: { readonly item: Item; readonly error: unknown }[] = [];
  let count = 0;
  for (const item of items) {
    count += 1;
    try {
      await work(item);
    } catch (error) {
      if (isMongoAway(error)) throw error;
      failures.push({ item, error });
      if (count === MOST_TIMEOUTS && failures.length === count && failures.every(isTimeout)) break;
    }
  }
  const [first] = failures;
  if (first === undefined) return;
  const { item, error: cause } = first;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const failed = failures.length === 1 ? '' : `${failures.length} of ${count} failed, the first: `;
  throw new Error(`${failed}${nameOf(item)}: ${reason}`, { cause });
}

function isTimeout({ error }: { readonly error: unknown }): boolean {
  return error instanceof Error && error.message === 'Command timed out';
}
