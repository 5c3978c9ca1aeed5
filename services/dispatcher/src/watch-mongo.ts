import { within } from '@sluice/runtime/timing/within';

export interface WatchMongoDeps {
  /** Rejects while MongoDB is not available. */
  readonly ping: () => Promise<void>;
  readonly everyMs?: number;
}

/** Whether MongoDB responds. A dispatcher without messages would not notice otherwise. */
export interface MongoWatch {
  readonly isAway: () => boolean;
  stop(): void;
}

const EVERY_MS = 2000;
/** A frozen server responds with nothing for much longer. */
const ANSWER_MS = 1000;

/** Looks at once, and then at an interval. */
export function watchMongo({ ping, everyMs = EVERY_MS }: WatchMongoDeps): MongoWatch {
  let away = false;
  let looking = false;
  const look = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    const answer = ping().then(
      () => true,
      () => false,
    );
    away = !(await within(ANSWER_MS, answer, () => false));
    // A slow server gets no second ping before it has answered the first.
    away = !(await answer);
    looking = false;
  };
  void look();
  const timer = setInterval(() => void look(), everyMs);
  timer.unref();
  return { isAway: () => away, stop: () => clearInterval(timer) };
}
