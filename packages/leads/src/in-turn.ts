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
