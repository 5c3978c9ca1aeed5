import { MINUTE_MS } from '@sluice/contract/time/durations';
import { type Finding, ok, problem } from './finding.ts';

/** A signature is accepted for 300 s, so a clock that is this far off leaves little for the network. Milliseconds. */
const MOST_OFF_MS = MINUTE_MS;

/** Judges the clock of this machine by that of a server. */
export function judgeClock(server: string, aheadMs: number): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const where = aheadMs > 0 ? 'ahead of' : 'behind';
  if (Math.abs(aheadMs) <= MOST_OFF_MS)
    return ok('clock', seconds <= 1 ? `as on ${server}` : `${seconds} s ${where} ${server}`);
  return problem(
    'clock',
    `${seconds} s ${where} ${server}`,
    'Synchronize the clock of this machine (NTP). Signatures are accepted within 300 s.',
  );
}
