import { PROBLEMS, type ProblemCode } from '@sluice/contract/problem/problem';
import { HOUR_MS } from '@sluice/contract/time/durations';
import { formatInstant, instantOrNull } from '@sluice/contract/time/instant';
import type { Attention } from '@sluice/dashboard-api/overview';
import { OLD_SECRET_REFUSED } from '@sluice/monitoring/activity';
import type { ActivityReader } from '@sluice/monitoring/read-activity';
import type { ApiKey } from '@sluice/store/accounts/api-keys';
import type { Source } from '@sluice/store/sources/source';
import { isOverdue } from '../parts/count-subscriptions-due.ts';
import { addInto, startingWith } from './buckets.ts';

const KEY_SOON_MS = 14 * 24 * HOUR_MS;
/** Fewer rejections per hour are probably someone testing. */
const MIN_REFUSALS = 10;
const MOST = 20;

export interface LetterCount {
  readonly count: number;
  /** Not all letters of the installation were scanned, so the account may have more. */
  readonly partial: boolean;
}

export interface AttentionInput {
  readonly accountId: string;
  readonly sources: readonly Source[];
  /** When each source last had a delivery, in their order. */
  readonly lastDeliveries: readonly (number | null)[];
  readonly keys: readonly ApiKey[];
  readonly deadLetters: LetterCount;
  readonly workers: number;
  /** How long the first message waits without a dispatcher that is ready. null: none waits, or a dispatcher is ready. */
  readonly undispatchedMs: number | null;
  readonly isOperator: boolean;
  readonly ignoresProxy: boolean;
  /** Problems of webhook subscriptions (subscription-needs.ts). */
  readonly subscriptionNeeds: readonly Attention[];
}

/** Problems that need attention, most urgent first: from counters and short lists, never from the log. */
export async function attentionOf(
  {
    activityReader,
    now,
  }: { readonly activityReader: Pick<ActivityReader, 'read'>; readonly now: () => number },
  {
    accountId,
    sources,
    lastDeliveries,
    keys,
    deadLetters,
    workers,
    undispatchedMs,
    isOperator,
    ignoresProxy,
    subscriptionNeeds,
  }: AttentionInput,
): Promise<Attention[]> {
  const at = now();
  const countsOf = async (scope: string) => {
    const sums = new Map<string, number>();
    for (const { counts } of await activityReader.read(scope, 'minutes', at - HOUR_MS, at + 1))
      addInto(sums, counts);
    return sums;
  };
  // Usually the account's counters already rule out that any source has this many rejections.
  const refused = startingWith(await countsOf(accountId), 'c:');
  const total = [...refused.values()].reduce((sum, count) => sum + count, 0);
  const candidates = total < MIN_REFUSALS ? [] : sources;
  const refusals = await Promise.all(
    candidates.map(async (source) => refusalsOf(source, await countsOf(source.source_id))),
  );
  const found: Attention[] = [
    ...(workers === 0 ? [{ kind: 'no_worker' } as const] : []),
    ...undispatched(undispatchedMs, isOperator),
    ...(ignoresProxy ? [{ kind: 'proxy_ignored' } as const] : []),
    ...unapplied(deadLetters, isOperator),
    ...refusals.flat().sort((a, b) => b.count - a.count),
    ...subscriptionNeeds,
    ...keys.flatMap((key) => expiring(key, at)),
    ...sources.flatMap((source, index) => silent(source, lastDeliveries[index] ?? null, at)),
  ];
  return found.slice(0, MOST);
}

/** The lateness may be another account's, so only operators get it. */
function undispatched(overdueMs: number | null, isOperator: boolean): Attention[] {
  if (!isOverdue(overdueMs)) return [];
  return [{ kind: 'no_dispatcher', overdue_ms: isOperator ? overdueMs : null }];
}

/** Only operators can look at the letters of others. So they alone learn that some were not scanned, if the account has none. */
function unapplied({ count, partial }: LetterCount, isOperator: boolean): Attention[] {
  if (count === 0 && !(partial && isOperator)) return [];
  return [{ kind: 'dead_letters', count, ...(partial && { partial }) }];
}

type Refusals = Extract<Attention, { kind: 'refusals' }>;

/** The most common reason for a source's rejections, if there are enough of them. */
function refusalsOf(source: Source, counts: ReadonlyMap<string, number>): Refusals[] {
  const known = [...startingWith(counts, 'c:')].filter(([code]) => Object.hasOwn(PROBLEMS, code));
  const [commonest] = known.sort(([, a], [, b]) => b - a);
  if (commonest === undefined || commonest[1] < MIN_REFUSALS) return [];
  const [code, count] = commonest as [ProblemCode, number];
  return [
    {
      kind: 'refusals',
      source_id: source.source_id,
      name: source.name,
      code,
      title: PROBLEMS[code].title,
      count,
      secret_rotated_at: instantOrNull(source.secret_rotated_at),
      old_secret_count: counts.get(OLD_SECRET_REFUSED) ?? 0,
    },
  ];
}

function expiring({ key_id, name, prefix, expires_at, revoked_at }: ApiKey, at: number): Attention[] {
  if (revoked_at !== null || expires_at === null) return [];
  if (expires_at <= at || expires_at - at > KEY_SOON_MS) return [];
  return [{ kind: 'key_expires', key_id, name, prefix, expires_at: formatInstant(expires_at) }];
}

function silent(
  { source_id, name, active, created_at }: Source,
  last: number | null,
  at: number,
): Attention[] {
  if (!active || last !== null || at - created_at < HOUR_MS) return [];
  return [{ kind: 'never_delivered', source_id, name, created_at: formatInstant(created_at) }];
}
