/**
 * Starts jobs in their order, with a limited number at a time. Resolves to their results in the order in which they
 * ended. After SIGINT or SIGTERM, which the running jobs get too, it starts no other job.
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
