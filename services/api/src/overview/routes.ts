import { mayActAs } from '@sluice/contract/account/roles';
import { type ProblemCode, problemTitle } from '@sluice/contract/problem/problem';
import { formatInstant } from '@sluice/contract/time/instant';
import { type Overview, type OverviewPoint, overviewQuery, type Range } from '@sluice/dashboard-api/overview';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { INSTALLATION } from '@sluice/monitoring/activity';
import type { Binder } from '../http/bind.ts';
import { done } from '../http/result.ts';
import type { SignedIn } from '../http/signed-in.ts';
import { ownLetters } from '../ops/own-letters.ts';
import type { RouteDeps } from '../parts.ts';
import { type AttentionInput, attentionOf, type LetterCount } from './attention.ts';
import { addInto, bucketsOf, percentilesOf, RANGE_BUCKETS, startingWith } from './buckets.ts';
import { readSubscriptionNeeds } from './subscription-needs.ts';

/** Charts and problems that need attention, from counters and short lists. Nothing scans the log. */
export function overviewRoutes({ guarded }: Binder, deps: RouteDeps): void {
  guarded(ROUTES.overview.show, { query: overviewQuery }, async ({ who, query: { range = '1h' } }) => {
    const { accountId } = who;
    const [charts, queues, plan, accountData, deadLetters, subscriptionNeeds] = await Promise.all([
      readCharts(deps, accountId, range),
      deps.takeQueueSnapshot(),
      planOf(deps, accountId),
      accountDataOf(deps, accountId),
      countLetters(deps, who),
      readSubscriptionNeeds(deps, who),
    ]);
    const { workers, readyDispatchers, ignoresProxy } = queues;
    const now = {
      queue_depth: queues.depth,
      workers,
      oldest_waiting_ms: queues.oldestWaitingMs,
    };
    const undispatchedMs = readyDispatchers > 0 ? null : (await deps.countSubscriptionsDue()).oldest_due_ms;
    const [checklist, attention] = await Promise.all([
      checklistOf(deps, accountData),
      attentionOf(deps, {
        ...{
          accountId,
          ...accountData,
          deadLetters,
          workers,
          undispatchedMs,
          isOperator: who.user.operator,
          ignoresProxy,
          subscriptionNeeds,
        },
      }),
    ]);
    return done({ ...charts, now, plan, checklist, attention });
  });
}

type Charts = Pick<Overview, 'range' | 'bucket_seconds' | 'points' | 'totals' | 'refusals'>;

async function readCharts(
  { activityReader, now }: RouteDeps,
  accountId: string,
  range: Range,
): Promise<Charts> {
  const { bucketMs, buckets, unit } = RANGE_BUCKETS[range];
  const end = (Math.floor(now() / bucketMs) + 1) * bucketMs;
  const first = end - buckets * bucketMs;
  const [own, all] = await Promise.all([
    activityReader.read(accountId, unit, first, end),
    activityReader.read(INSTALLATION, unit, first, end),
  ]);
  const ours = bucketsOf(own, first, bucketMs, buckets);
  const everyones = bucketsOf(all, first, bucketMs, buckets);
  const points = ours.map((counts, index) =>
    pointOf(first + index * bucketMs, counts, everyones[index] ?? new Map()),
  );
  return { range, bucket_seconds: bucketMs / 1000, points, ...summary(ours, everyones) };
}

function pointOf(
  at: number,
  own: ReadonlyMap<string, number>,
  all: ReadonlyMap<string, number>,
): OverviewPoint {
  return {
    at: formatInstant(at),
    by_status: Object.fromEntries(startingWith(own, 's:')),
    ingress_ms: percentilesOf(all, 'ingress:'),
    lag_ms: percentilesOf(own, 'lag:'),
    queue_depth: all.get('max:queue') ?? null,
    queue: queueOf(all),
    workers: all.get('max:workers') ?? null,
  };
}

/** The queue by state; null if nobody recorded it. */
function queueOf(all: ReadonlyMap<string, number>): OverviewPoint['queue'] {
  const seen = (state: string) => all.get(`max:${state}`);
  const [waiting, active, delayed, dead_letters] = QUEUE_STATES.map(seen);
  if (waiting === undefined || active === undefined || delayed === undefined || dead_letters === undefined)
    return null;
  return { waiting, active, delayed, dead_letters };
}

const QUEUE_STATES = ['waiting', 'active', 'delayed', 'dead_letters'] as const;

function summary(
  ours: readonly Map<string, number>[],
  everyones: readonly Map<string, number>[],
): Pick<Charts, 'totals' | 'refusals'> {
  const [own, all] = [new Map<string, number>(), new Map<string, number>()];
  for (const counts of ours) addInto(own, counts);
  for (const counts of everyones) addInto(all, counts);
  const byStatus = startingWith(own, 's:');
  const requests = [...byStatus.values()].reduce((sum, count) => sum + count, 0);
  const accepted = byStatus.get('200') ?? 0;
  const totals = { requests, accepted, refused: requests - accepted };
  const refusals = [...startingWith(own, 'c:')]
    .map(([code, count]) => ({ code, title: problemTitle(code as ProblemCode), count }))
    .sort((a, b) => b.count - a.count);
  return {
    totals: { ...totals, ingress_ms: percentilesOf(all, 'ingress:'), lag_ms: percentilesOf(own, 'lag:') },
    refusals,
  };
}

async function planOf(
  { accounts, redis, shards, plans, now }: RouteDeps,
  accountId: string,
): Promise<Overview['plan']> {
  const month = new Date(now()).toISOString().slice(0, 7);
  const [account, used] = await Promise.all([
    accounts.findAccount(accountId),
    redis.get(shards.of(accountId).planUse(accountId, month)),
  ]);
  const name = account?.plan ?? '';
  return { name, used: Number(used ?? 0), limit: plans.get(name) ?? null };
}

type AccountData = Pick<AttentionInput, 'sources' | 'keys' | 'lastDeliveries'>;

async function accountDataOf(deps: RouteDeps, accountId: string): Promise<AccountData> {
  const [sources, keys] = await Promise.all([
    deps.sources.listSources({ account_id: accountId, kind: 'events', live: true }),
    deps.apiKeys.listApiKeys({ account_id: accountId }),
  ]);
  const lastDeliveries = await deps.activityReader.lastDeliveries(sources.map(({ source_id }) => source_id));
  return { sources, keys, lastDeliveries };
}

/** Counts dead letters for owners only, because only owners can act on them. */
async function countLetters({ deadLetters }: RouteDeps, { role, accountId }: SignedIn): Promise<LetterCount> {
  if (!mayActAs(role, 'owner')) return { count: 0, partial: false };
  const { items, partial } = await ownLetters(deadLetters, accountId);
  return { count: items.length, partial };
}

async function checklistOf(
  { eventSearch }: RouteDeps,
  { sources, keys, lastDeliveries }: AccountData,
): Promise<Overview['checklist']> {
  return {
    source: sources.length > 0,
    delivery: lastDeliveries.some((at) => at !== null),
    event: await eventSearch.hasEvents(sources.map(({ source_id }) => source_id)),
    api_key: keys.length > 0,
  };
}
