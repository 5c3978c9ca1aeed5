import type { Delivery } from '@sluice/contract/delivery/delivery';
import { type DeliveryCount, deliveryFilter, logSizeQuery } from '@sluice/dashboard-api/deliveries';
import { REPROCESS_LIMIT } from '@sluice/dashboard-api/limits';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { knownMapperOf } from '@sluice/signature/mapping/mapper';
import type { DeliveryFilter, DeliverySearch } from '@sluice/store/deliveries/delivery-search';
import type { Binder } from '../http/bind.ts';
import { done, notFound, refuse } from '../http/result.ts';
import type { SignedIn } from '../http/signed-in.ts';
import type { RouteDeps } from '../parts.ts';
import { targetOf } from '../sources/routes.ts';
import { describeDetail } from './describe-detail.ts';
import { storeFilter } from './filter.ts';
import { logOf } from './log-of.ts';
import { reprocessOne } from './reprocess.ts';
import { explainUnchanged } from './why-unchanged.ts';

/** Rows are counted up to this number. Beyond it the exact size is irrelevant, and counting would be slow. */
const ROWS_COUNTED = 10_000;

const NO_DELIVERY = notFound('delivery');
const SOURCE_DELETED = 'The source was deleted, so its deliveries cannot be reprocessed.';

/** Routes of single deliveries and of their number. */
export function deliveryRoutes({ guarded }: Binder, deps: RouteDeps): void {
  const { ownSource, ownAnySource, deliverySearch, audited } = deps;
  const routes = ROUTES.deliveries;

  const ownDelivery = async (who: SignedIn, id: string): Promise<Delivery | undefined> => {
    const row = await (id.startsWith('req_')
      ? deliverySearch.findRefusal(id)
      : deliverySearch.findDelivery(id));
    return row?.account_id === who.accountId ? row : undefined;
  };

  guarded(routes.count, { query: deliveryFilter }, async ({ who, query }) => {
    if ((await ownAnySource(who, query.source_id)) === undefined) return notFound('source');
    return done(await countMatching(deliverySearch, storeFilter(query, query.source_id)));
  });

  guarded(routes.size, { query: logSizeQuery }, async ({ who, query }) => {
    const log = await logOf(deps, who, query.source_id);
    if (log === undefined) return notFound('source');
    const rows = await deliverySearch.countRows(storeFilter(query, log), ROWS_COUNTED + 1);
    return done({ rows: Math.min(rows, ROWS_COUNTED), more: rows > ROWS_COUNTED });
  });

  guarded(routes.show, {}, async ({ who, params }) => {
    const row = await ownDelivery(who, params.deliveryId as string);
    const source = row && (await ownAnySource(who, row.source_id));
    if (row === undefined || source === undefined) return NO_DELIVERY;
    const [reprocessedAs, unchanged, previous = null] = await Promise.all([
      deliverySearch.listReprocesses(row.delivery_id),
      explainUnchanged(deps, row, source.sender),
      deliverySearch.previousOfEvent(row),
    ]);
    return done(
      describeDetail({ ...deps, row, source, reprocessedAs, unchanged, previous, now: deps.now() }),
    );
  });

  guarded(routes.reprocess, {}, async ({ who, params, request }) => {
    const row = await ownDelivery(who, params.deliveryId as string);
    const source = row && (await ownSource(who, row.source_id));
    if (row === undefined) return NO_DELIVERY;
    if (source === undefined) return refuse('conflict', SOURCE_DELETED);
    const target = targetOf(source);
    const deed = { action: 'deliveries.reprocessed', target, detail: row.delivery_id } as const;
    const result = await audited(who, request, {
      intent: deed,
      work: () => reprocessOne(deps.enqueueActions, row, knownMapperOf(source.sender)),
      deed: ({ outcome }) => (outcome === 'refused' ? undefined : deed),
    });
    if (result.outcome === 'refused') return result;
    return done({ delivery_id: result.delivery_id, reprocess_of: row.delivery_id });
  });
}

/** Counts the rows that match, those that can be reprocessed, and those of them that were reprocessed before. */
async function countMatching(search: DeliverySearch, filter: DeliveryFilter): Promise<DeliveryCount> {
  const able = { ...filter, with_body: true };
  const [matching, reprocessable] = await Promise.all([
    search.countDeliveries(filter),
    search.countDeliveries(able),
  ]);
  if (reprocessable > REPROCESS_LIMIT) return { matching, reprocessable, done: null };
  const done = await search.reprocessedAmong(await search.oldestIds(able, REPROCESS_LIMIT));
  return { matching, reprocessable, done: done.size };
}
