import { SECOND_MS } from '@sluice/contract/time/durations';
import { parseInstant } from '@sluice/contract/time/instant';
import type { TimeOf } from './profile.ts';

/** A time as a sender wrote it: the second, or a fault to complete with its place. */
export type SenderTime =
  | { readonly outcome: 'seconds'; readonly seconds: number }
  | { readonly outcome: 'timestamp_invalid' | 'timestamp_expired'; readonly detail: string };

const UNITS = {
  s: 'Unix time in seconds',
  ms: 'Unix time in milliseconds',
  iso: 'an ISO 8601 datetime',
} as const;

/** Reads the time and compares it with the clock. `place` names it in the detail, such as the header. */
export function readTime(time: TimeOf, text: unknown, place: string, nowMs: number): SenderTime {
  const seconds = secondsOf(time.unit, text);
  if (seconds === undefined) {
    const found = text === undefined ? 'is missing' : `is not ${UNITS[time.unit]}`;
    return { outcome: 'timestamp_invalid', detail: `${place} ${found}.` };
  }
  const age = Math.floor(nowMs / SECOND_MS) - seconds;
  if (Math.abs(age) <= time.tolerance) return { outcome: 'seconds', seconds };
  const where = age > 0 ? `${age} seconds old` : `${-age} seconds ahead`;
  return {
    outcome: 'timestamp_expired',
    detail: `${place} is ${where}; at most ${time.tolerance} are accepted. Check the sender's clock.`,
  };
}

/** A longer number is past any date, and is not exact as a JavaScript number. */
const DECIMAL = /^\d{1,15}$/;

function secondsOf(unit: TimeOf['unit'], value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  if (unit === 'iso') {
    const parsed = parseInstant(text);
    return parsed.ok ? Math.floor(parsed.epochMs / SECOND_MS) : undefined;
  }
  if (!DECIMAL.test(text)) return undefined;
  return unit === 's' ? Number(text) : Math.floor(Number(text) / SECOND_MS);
}
