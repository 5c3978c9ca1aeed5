/**
 * Runs jobs in their order, so many at a time; resolves to their results in the order in which they ended. After
 * SIGINT or SIGTERM, which the running ones get too, no other is begun.
 */
export async function sideBySide(jobs, atATime) {
  const waiting = [...jobs];
  const results = [];
  const clear = () => waiting.splice(0);
  const lane = async () => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) results.push(await job());
  };
  process.on('SIGINT', clear).on('SIGTERM', clear);
  await Promise.all(Array.from({ length: atATime }, lane));
  process.off('SIGINT', clear).off('SIGTERM', clear);
  return results;
}
