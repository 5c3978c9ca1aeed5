import { repeat } from '@sluice/runtime/timing/repeat';
import { within } from '@sluice/runtime/timing/within';

/** Whether MongoDB responds. A dispatcher without messages would not notice otherwise. */
export interface MongoWatch {
  readonly isAway: () => boolean;
  stop(): void;
}

const EVERY_MS = 2000;
/** A frozen server responds with nothing for much longer. */
const ANSWER_MS = 1000;

/** Looks at once, and then at an interval. `ping` rejects while MongoDB is not available. */
export function watchMongo(ping: () => Promise<void>, everyMs = EVERY_MS): MongoWatch {
  let away = false;
  const run = async (): Promise<void> => {
    const answer = ping().then(
      () => true,
      () => false,
    );
    away = !(await within(ANSWER_MS, answer, () => false));
    // A slow server gets no second ping before it has answered the first.
    away = !(await answer);
  };
  const watch = repeat({ run, everyMs, onError: () => undefined });
  watch.runNow();
  return { isAway: () => away, stop: () => void watch.stop() };
}
