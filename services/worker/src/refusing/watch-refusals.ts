import { type FoldedCount, isIgnored } from '@sluice/admission/folded-refusals';
import type { Delivery } from '@sluice/contract/delivery/delivery';
import { nextSequence, type PendingChange } from '@sluice/contract/message/change';
import {
  EPISODE_ENDS_MS,
  REFUSING,
  type SourceRefusingRecord,
} from '@sluice/contract/message/source-refusing';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import { formatInstant } from '@sluice/contract/time/instant';
import type { PendingRecord } from '@sluice/store/pending/pending-record';
import type { RefusalCount, RefusalCounts, SourceRefusals } from '@sluice/store/sources/source-refusals';
import type { Sources } from '@sluice/store/sources/sources';

export interface WatchRefusalsDeps {
  readonly sourceRefusals: SourceRefusals;
  readonly sources: Pick<Sources, 'findSource'>;
  /** Whether a subscription, or a mail to owners, is to report that a source rejects requests. */
  readonly isWanted: (accountId: string, sourceId: string) => Promise<boolean>;
  readonly tell: (record: PendingRecord) => void;
  readonly onError: (error: unknown) => void;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** Watches how many requests each source refuses. It never throws: a lost count only delays a report. */
export interface WatchRefusals {
  logged(rows: readonly Delivery[]): Promise<void>;
  /** Refusals that the admission script has counted. Each call has the totals so far. */
  counted(counts: readonly FoldedCount[]): Promise<void>;
}

interface Counted extends RefusalCount {
  readonly source_id: string;
  readonly account_id: string;
}

const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS);
/** Counts are by the minute, and the present one has just begun. So one more is looked at, or refusals within 5 minutes would be missed. */
const oldestMinute = (now: number): number => minuteOf(now) - REFUSING.withinMinutes;
/** Counts that a source has before the old ones are dropped. */
const MOST_COUNTS = 50;

/** Reports a source that refuses many requests. Counts are in MongoDB, because each worker sees only some of them. */
export function createWatchRefusals(deps: WatchRefusalsDeps): WatchRefusals {
  const { sourceRefusals, isWanted, onError, now } = deps;

  async function watchSource(all: readonly Counted[]): Promise<void> {
    const [{ source_id, account_id }] = all as [Counted];
    if (!(await isWanted(account_id, source_id))) return;
    const read = await sourceRefusals.addCounts({ source_id, account_id }, all);
    const oldest = oldestMinute(now());
    await reportIfMany(deps, { source_id, account_id }, oldest, read);
    if (read.counts.length > MOST_COUNTS) await sourceRefusals.dropCounts(source_id, oldest);
  }

  async function watch(counts: readonly Counted[]): Promise<void> {
    const recent = counts.filter(({ minute }) => minute >= oldestMinute(now()));
    const bySource = new Map<string, Counted[]>();
    for (const one of recent) bySource.set(one.source_id, [...(bySource.get(one.source_id) ?? []), one]);
    await Promise.all(Array.from(bySource.values(), (some) => watchSource(some).catch(onError)));
  }

  return {
    logged: (rows) =>
      watch(
        rows.flatMap(({ source_id, account_id, received_at, code, count }) =>
          code === null ? [] : [{ source_id, account_id, minute: minuteOf(received_at), code, count }],
        ),
      ),
    counted: (counts) =>
      watch(
        counts.flatMap(({ source_id, account_id, minute_ms, code, count, signed_with }) =>
          isIgnored(code)
            ? []
            : [
                {
                  source_id,
                  account_id,
                  minute: minuteOf(minute_ms),
                  code,
                  count,
                  totalOf: `folded-${signed_with ?? ''}`,
                },
              ],
        ),
      ),
  };
}

async function reportIfMany(
  { sourceRefusals, sources, tell, now }: WatchRefusalsDeps,
  source: { readonly source_id: string; readonly account_id: string },
  oldest: number,
  read: RefusalCounts,
): Promise<void> {
  const counts = read.counts.filter(({ minute }) => minute >= oldest);
  const refusals = counts.reduce((sum, { count }) => sum + count, 0);
  const at = now();
  if (refusals < REFUSING.refusals || at - read.told_at < REFUSING.quietMs) return;
  const name = (await sources.findSource(source.source_id))?.name ?? null;
  const data: SourceRefusingRecord = {
    id: source.source_id,
    source_id: source.source_id,
    name,
    refusals,
    codes: codesOf(counts),
    since: formatInstant(oldest * MINUTE_MS),
    at: formatInstant(at),
  };
  const change: PendingChange = {
    sequence: nextSequence(read.sequence, at),
    kind: 'source.refusing',
    at,
    data,
    actor: { type: 'source', id: source.source_id },
  };
  const isMailed = at - read.told_at >= EPISODE_ENDS_MS;
  const record = await sourceRefusals.report(source, read, { change, isMailed });
  if (record !== undefined) tell(record);
}

function codesOf(counts: RefusalCounts['counts']): SourceRefusingRecord['codes'] {
  const byCode = new Map<string, number>();
  for (const { code, count } of counts) byCode.set(code, (byCode.get(code) ?? 0) + count);
  return Array.from(byCode, ([code, count]) => ({ code, count })).sort((a, b) => b.count - a.count);
}
