/**
 * Settles as `work` does, or as `late()` does when `work` takes longer than `ms` milliseconds. `late` may throw.
 * The work is not stopped, and its later rejection is ignored.
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
