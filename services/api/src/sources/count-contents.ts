const MOST = 10_000;

/** Counts the events or conversations of a source, up to 10,000. `count` may stop at its limit. */
export async function countContents(
  count: (limit: number) => Promise<number>,
): Promise<{ count: number; more: boolean }> {
  const found = await count(MOST + 1);
  return { count: Math.min(found, MOST), more: found > MOST };
}
