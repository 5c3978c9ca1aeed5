/**
 * Runs the items of each group together, and all groups concurrently. Resolves to the results in the order of the items.
 * Rejects if one group does.
 */
export async function runByGroup<Item, Result>(
  items: readonly Item[],
  groupOf: (item: Item) => string,
  run: (items: readonly [Item, ...Item[]]) => Promise<readonly Result[]>,
): Promise<readonly Result[]> {
  const groups = new Map<string, number[]>();
  items.forEach((item, index) => {
    const name = groupOf(item);
    const places = groups.get(name);
    if (places === undefined) groups.set(name, [index]);
    else places.push(index);
  });
  const results = new Array<Result>(items.length);
  await Promise.all(
    [...groups.values()].map(async (places) => {
      const own = await run(places.map((place) => items[place]) as [Item, ...Item[]]);
      places.forEach((place, i) => {
        results[place] = own[i] as Result;
      });
    }),
  );
  return results;
}
