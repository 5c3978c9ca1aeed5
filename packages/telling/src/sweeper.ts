import type { Untold } from '@sluice/store/untold';
import type { Teller } from './teller.ts';

export interface SweeperDeps {
  readonly untold: Pick<Untold, 'findUntold'>;
  readonly teller: Pick<Teller, 'tellNow'>;
  /** Called with each error, and with null when the next look succeeds. */
  readonly onChange: (error: unknown) => void;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** How often to look. Milliseconds. */
  readonly everyMs?: number;
  /** Changes younger than this are left to the process that made them. Milliseconds. */
  readonly graceMs?: number;
}

export interface Sweeper {
  /** Looks once. Throws if the store is unavailable. */
  sweep(): Promise<void>;
  /** Resolves once the look under way has ended. */
  stop(): Promise<void>;
}

/** Both together are less than 10 s, within which every change is told. */
const EVERY_MS = 3000;
const GRACE_MS = 3000;
const BATCH = 200;

/** Tells the changes of processes that died before they told them. Several processes may sweep at once. */
export function createSweeper({
  untold,
  teller,
  onChange,
  now,
  everyMs = EVERY_MS,
  graceMs = GRACE_MS,
}: SweeperDeps): Sweeper {
  let stopped = false;
  let failing = false;
  let running: Promise<void> = Promise.resolve();

  async function sweep(): Promise<void> {
    for (;;) {
      const records = await untold.findUntold({ before: now() - graceMs, limit: BATCH });
      if (records.length > 0) await teller.tellNow(records);
      if (records.length < BATCH || stopped) return;
    }
  }

  async function look(): Promise<void> {
    try {
      await sweep();
      if (failing) onChange(null);
      failing = false;
    } catch (error) {
      failing = true;
      onChange(error);
    }
    if (!stopped) timer = later();
  }

  const later = () =>
    setTimeout(() => {
      running = look();
    }, everyMs).unref();
  let timer = later();

  return {
    sweep,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
