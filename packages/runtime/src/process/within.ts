/**
 * Resolves as `work` does, or after `ms` milliseconds as `late()` does. `late` may throw. The work itself goes on; when it
 * rejects after that, nobody hears of it.
 */
export async function within<T, L>(ms: number, work: Promise<T>, late: () => L): Promise<T | Awaited<L>> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  }).then(late);
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
