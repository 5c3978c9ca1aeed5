/** The error that a promise is rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  const failure = await promise.then(
    () => undefined,
    (error: Error) => error,
  );
  if (failure === undefined) throw new Error('the promise was to be rejected');
  return failure;
}
