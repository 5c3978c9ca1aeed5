import { isMongoAway } from '@sluice/store/mongo-away';

/**
 * Does the work of each item, one after the other. An item that fails does not keep the others from their work. Then throws one
 * error for all failures, with the first one as its cause. `nameOf` names an item in it. While MongoDB is away every item would
 * wait for it, so that error ends the work at once.
 */
export async function eachApart<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
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
    }
  }
  const [first] = failures;
  if (first === undefined) return;
  const { item, error: cause } = first;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const failed = failures.length === 1 ? '' : `${failures.length} of ${count} failed, the first: `;
  throw new Error(`${failed}${nameOf(item)}: ${reason}`, { cause });
}
