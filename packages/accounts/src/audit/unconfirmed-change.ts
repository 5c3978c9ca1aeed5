/**
 * A change that may or may not have taken effect, because MongoDB or Redis failed half way. The sources admit nothing
 * until the fence expires. Then they continue with MongoDB's state at that moment; a delayed write may still follow.
 * Only repeating the change makes it certain. Repeating is always safe.
 */
export class UnconfirmedChangeError extends Error {
  override readonly name = 'UnconfirmedChangeError';
}

/** Resolves as `work` does. If it fails, throws an UnconfirmedChangeError that starts with `what`. */
export async function orUnconfirmed<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    const meanwhile = 'No request is admitted for it for at most 15 seconds.';
    throw new UnconfirmedChangeError(`${what}. ${meanwhile} Repeat the change to be certain.`, { cause });
  }
}
