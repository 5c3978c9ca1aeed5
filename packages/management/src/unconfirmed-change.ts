/**
 * A change of which it is not known whether it took effect: MongoDB or Redis went away half way. Nothing is admitted
 * for the sources until the fence runs out; then they go on as MongoDB has them at that moment, which may still be
 * before a write that is stuck on its way. So only doing it again makes it certain, and that is always safe.
 */
export class UnconfirmedChangeError extends Error {
  override readonly name = 'UnconfirmedChangeError';
}

/** What `work` comes to, or an UnconfirmedChangeError that begins with `what` and leaves the fence to run out. */
export async function orUnconfirmed<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    const meanwhile = 'Nothing is admitted for it meanwhile, for at most 15 seconds.';
    throw new UnconfirmedChangeError(`${what}. ${meanwhile} Do it again to be certain.`, { cause });
  }
}
