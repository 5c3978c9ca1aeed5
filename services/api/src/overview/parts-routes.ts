import { DAY_MS, HOUR_MS, MINUTE_MS } from '@sluice/contract/time/durations';
import { formatInstant } from '@sluice/contract/time/instant';
import {
  type LogDay,
  type OverviewParts,
  type ParsedPartsQuery,
  partsQuery,
} from '@sluice/dashboard-api/overview-parts';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Binder } from '../http/bind.ts';
import { done } from '../http/result.ts';
import type { RouteDeps } from '../parts.ts';
import { addInto, bucketsOf, startingWith } from './buckets.ts';

/** Counters per minute are kept a little longer than a day, those per hour a little longer than a month. */
const MINUTES_BACK_MS = DAY_MS;
const HOURS_BACK_MS = 31 * DAY_MS;
const DAYS_SHOWN = 30;
const MOST_SOURCES = 50;

/** The sources behind a bar of a chart, and the days still in the log: from counters, never from the log. */
export function partsRoutes({ guarded }: Binder, deps: RouteDeps): void {
  guarded(ROUTES.overview.parts, { query: partsQuery }, async ({ who, query }) =>
    done(await partsOf(deps, who.accountId, query)),
  );

  guarded(ROUTES.overview.days, {}, async ({ who }) => done({ items: await daysOf(deps, who.accountId) }));
}

async function partsOf(
  { activityReader, sources, now }: RouteDeps,
  accountId: string,
  query: ParsedPartsQuery,
): Promise<OverviewParts> {
  const unit = query.from >= now() - MINUTES_BACK_MS ? 'minutes' : 'hours';
  const slotMs = unit === 'minutes' ? MINUTE_MS : HOUR_MS;
  const from = Math.floor(Math.max(query.from, now() - HOURS_BACK_MS) / slotMs) * slotMs;
  const to = Math.max(from, Math.ceil(Math.min(query.to, now()) / slotMs) * slotMs);
  const counted = await Promise.all(
    (await sources.listSources({ account_id: accountId })).map(async ({ source_id, name }) => {
      const sums = new Map<string, number>();
      for (const { counts } of await activityReader.read(source_id, unit, from, to)) addInto(sums, counts);
      return { source_id, name, count: countOf(sums, query) };
    }),
  );
  const items = counted.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
  return {
    from: formatInstant(from),
    to: formatInstant(to),
    items: items.slice(0, MOST_SOURCES),
    count: items.reduce((sum, { count }) => sum + count, 0),
  };
}

/** How many counted requests match. A code implies its status, so the code alone decides. */
function countOf(
  sums: ReadonlyMap<string, number>,
  { status, status_class: statusClass, code }: ParsedPartsQuery,
): number {
  if (code !== undefined) return sums.get(`c:${code}`) ?? 0;
  if (status !== undefined) return sums.get(`s:${status}`) ?? 0;
  return total(startingWith(sums, statusClass === undefined ? 's:' : `s:${statusClass[0]}`));
}

/** Requests per UTC day, from the hourly counters. */
async function daysOf(
  { activityReader, retentionDays, now }: RouteDeps,
  accountId: string,
): Promise<LogDay[]> {
  const days = Math.min(DAYS_SHOWN, Math.ceil(retentionDays));
  const end = (Math.floor(now() / DAY_MS) + 1) * DAY_MS;
  const first = end - days * DAY_MS;
  const slots = await activityReader.read(accountId, 'hours', first, end);
  return bucketsOf(slots, first, DAY_MS, days).map((counts, day) => {
    const byStatus = startingWith(counts, 's:');
    const requests = total(byStatus);
    return {
      from: formatInstant(first + day * DAY_MS),
      to: formatInstant(first + (day + 1) * DAY_MS),
      requests,
      refused: requests - (byStatus.get('200') ?? 0),
    };
  });
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
