import { MINUTE_MS } from '@sluice/contract/durations';
import type { LeadSegments } from '@sluice/store/leads/lead-segments';
import type { SegmentPage, Untold } from '@sluice/store/untold/untold';
import type { Teller } from './teller.ts';

export interface SweepSegmentsDeps {
  readonly untold: Pick<Untold, 'pageSegment'>;
  readonly leadSegments: Pick<LeadSegments, 'stored' | 'remove' | 'close'>;
  readonly teller: Pick<Teller, 'tellNow'>;
  /** Milliseconds of a clock that is never set. */
  readonly now?: () => number;
}

/**
 * Resolves to a failure, after it has told what it can, or to undefined. `isStopped`: whether to leave the rest to the next process.
 * Throws if the store is unavailable.
 */
export type SweepSegments = (isStopped: () => boolean) => Promise<unknown>;

const BATCH = 200;
/**
 * How long this process has known a segment before it removes or closes it. Its owner begins writes into it for 5 s at most
 * (lead-segments.ts). A write may last minutes: it waits for a server, a connection and the answer, is repeated once by the driver,
 * and a large one is several commands. Milliseconds.
 */
const REMOVED_AFTER_MS = 600_000;
/**
 * After this long without a step of a sweep, the time of every segment starts again. MongoDB or this machine was frozen, and perhaps
 * a write as well. Milliseconds.
 */
const FROZEN_MS = MINUTE_MS;

/**
 * Tells the changes in segments that were there at the sweep before: their owners tell changes sooner, unless they died. No
 * clock of another process is compared.
 */
export function createSweepSegments({
  untold,
  leadSegments,
  teller,
  now = () => performance.now(),
}: SweepSegmentsDeps): SweepSegments {
  let known = new Map<string, number>();
  let closed = new Set<string>();
  let steppedAt = now();
  let thawedAt = steppedAt;

  function step(): number {
    const at = now();
    if (at - steppedAt >= FROZEN_MS) thawedAt = at;
    steppedAt = at;
    return at;
  }

  /** Resolves to the number of records with untold changes, and to a failure. */
  async function sweepSegment(segment: string, isStopped: () => boolean) {
    let [found, failure]: [number, unknown] = [0, undefined];
    let after: string | null = null;
    do {
      const page: SegmentPage = await untold.pageSegment(segment, {
        after: after ?? undefined,
        limit: BATCH,
      });
      const { records, unreadable } = page;
      found += records.length + unreadable.length;
      if (unreadable.length > 0) failure = new Error(`unreadable changes in leads: ${unreadable.join(', ')}`);
      if (records.length > 0)
        await teller.tellNow(records).catch((error) => {
          failure = error;
        });
      after = page.next;
    } while (after !== null && !isStopped());
    return { found, failure };
  }

  return async (isStopped) => {
    const stored = await leadSegments.stored();
    const before = known;
    const seenAt = step();
    known = new Map(stored.map((segment) => [segment, before.get(segment) ?? seenAt]));
    closed = new Set(stored.filter((segment) => closed.has(segment)));
    let failure: unknown;
    for (const [segment, since] of known) {
      if (!before.has(segment)) continue;
      if (isStopped()) break;
      // The time before the segment is read: whatever froze later could hide a write from the read.
      const readAt = step();
      const knownMs = readAt - Math.max(since, thawedAt);
      const swept = await sweepSegment(segment, isStopped);
      failure ??= swept.failure;
      if (knownMs < REMOVED_AFTER_MS) continue;
      if (swept.found === 0) await leadSegments.remove(segment);
      else if (!closed.has(segment)) {
        await leadSegments.close(segment);
        closed.add(segment);
      }
    }
    return failure;
  };
}
