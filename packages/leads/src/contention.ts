import { afterLostRace } from '@sluice/store/writing/after-lost-race';

/** Many writers of one lead were faster for too long. The request can be repeated. */
export class ContendedError extends Error {
  override readonly name = 'ContendedError';
}

const AT_MOST_MS = 10_000;

/**
 * Repeats a guarded write until it returns something other than `again`. One of all writers of a record wins each
 * round. Throws ContendedError after 10 s.
 */
export async function untilWritten<T>(attempt: () => Promise<T | 'again'>): Promise<T> {
  const end = performance.now() + AT_MOST_MS;
  for (let round = 0; ; round++) {
    const result = await attempt();
    if (result !== 'again') return result;
    if (performance.now() > end) throw new ContendedError('too many changes of one lead at once');
    if (round > 0) await afterLostRace(round);
  }
}

/** Runs functions with one key one after the other, in the order of the calls. */
export type InTurn = <T>(key: string, run: () => Promise<T>) => Promise<T>;

/**
 * Writers of one lead in one process wait for each other. The guard of each write would be enough, but of a hundred writers
 * ninety-nine would load the lead again after each write.
 */
export function createInTurn(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return (key, run) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(run, run);
    last.set(key, mine);
    const forget = () => {
      if (last.get(key) === mine) last.delete(key);
    };
    mine.then(forget, forget);
    return mine;
  };
}
