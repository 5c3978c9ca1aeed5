import { HashesWaitingError } from '../http/hashes-waiting-error.ts';

/** Hashes under way in one process. More would keep files, compression and name lookups from the four threads of its pool. */
const AT_ONCE = 2;

/** Hashes that wait, for each kind of asker: about three seconds of work. */
const MOST_WAITING = 20;

/** `known`: a session, a link or a browser was checked before. It passes each `stranger`, who knows no more than the address. */
export type Asker = 'known' | 'stranger';

let running = 0;
const waiting: Record<Asker, (() => void)[]> = { known: [], stranger: [] };

/**
 * Runs the work that hashes one password, once a turn is free. The limit is a process's, like the threads that it protects.
 * @throws HashesWaitingError at once, if too many wait.
 */
export async function inHashTurn<T>(asker: Asker, work: () => Promise<T>): Promise<T> {
  if (running < AT_ONCE) running += 1;
  else if (waiting[asker].length >= MOST_WAITING) throw new HashesWaitingError();
  // The one before passes its turn on.
  else await new Promise<void>((resolve) => waiting[asker].push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.known.shift() ?? waiting.stranger.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
