import { repeat } from '@sluice/runtime/timing/repeat';
import { within } from '@sluice/runtime/timing/within';

export interface BackgroundLoopSettings {
  /** It may be cut off by the end of the process. */
  readonly run: () => Promise<void>;
  /** From the end of one run to the start of the next. Milliseconds. */
  readonly everyMs: number;
  /** Called with the first of several errors in a row, and with null when a run succeeds again. */
  readonly onChange: (error: unknown) => void;
}

/** A run may wait for Redis without end, so a stop waits only this long for it. Milliseconds. */
const STOP_WITHIN_MS = 500;

/** Repeats work until the worker stops. The first run begins at once. */
export function startBackgroundLoop({ run, everyMs, onChange }: BackgroundLoopSettings): {
  stop(): Promise<void>;
} {
  let failing = false;
  const repeated = repeat({
    everyMs,
    async run() {
      await run();
      if (failing) onChange(null);
      failing = false;
    },
    onError(error) {
      if (!failing) onChange(error);
      failing = true;
    },
  });
  repeated.runNow();
  return { stop: () => within(STOP_WITHIN_MS, repeated.stop(), () => undefined) };
}
