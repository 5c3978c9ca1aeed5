/** What comes soon is seen soon; what takes seconds is not looked for so often that looking takes its time away. */
const FIRST_POLL_MS = 5;
const LAST_POLL_MS = 100;
const SLOWER = 1.25;
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
  for (let pollMs = FIRST_POLL_MS; !(await condition()); pollMs = Math.min(LAST_POLL_MS, pollMs * SLOWER)) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
