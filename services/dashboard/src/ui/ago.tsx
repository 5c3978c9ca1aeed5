import { useSyncExternalStore } from 'react';
import { ago, clockFor, localTime, logged, utc } from './time.ts';

const TICK_MS = 5000;
let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for the whole page. It runs while something is subscribed. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const one of listeners) one();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

interface AgoProps {
  readonly at: string | null;
  readonly otherwise?: string;
  /** For a row of a log: shows day and time if it is more than an hour ago. */
  readonly inLog?: boolean;
}

/** Shows a relative time. Hovering shows the exact time in UTC and in the viewer’s time zone. */
export function Ago({ at, otherwise = 'never', inLog = false }: AgoProps) {
  const clock = useNow();
  const now = Date.now();
  if (at === null) return <span className="dimmed">{otherwise}</span>;
  const words = inLog ? logged : ago;
  return (
    <time dateTime={at} title={`${utc(at)}\n${localTime(at)}`} className="nowrap">
      {words(at, clockFor(at, Math.max(clock, now - TICK_MS), now))}
    </time>
  );
}
