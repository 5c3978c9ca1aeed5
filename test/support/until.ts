const POLL_MS = 10;
/** A limit only for what never comes: a loaded machine takes many times as long as an idle one. */
const WITHIN_MS = 90_000;

/** Resolves once a condition holds that nothing announces; rejects, saying so, when it does not in time. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  {
    withinMs = WITHIN_MS,
    what = condition.toString(),
  }: { readonly withinMs?: number; readonly what?: string } = {},
): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
