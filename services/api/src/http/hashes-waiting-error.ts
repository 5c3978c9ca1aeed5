/** Too many hashes wait. Nothing was checked. */
export class HashesWaitingError extends Error {
  override readonly name = 'HashesWaitingError';
}
