import type { Delivery } from '@sluice/contract/delivery';
import { deliveryFilter, liveQuery, reprocessMatching } from '@sluice/dashboard-api/deliveries';
import { REPROCESS_LIMIT } from '@sluice/dashboard-api/limits';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { EnqueueActions } from '@sluice/management/enqueue-actions';
import type { DeliverySearch } from '@sluice/store/delivery-search';
import type { Audit } from '../audit/record.ts';
import type { Binder } from '../http/bind.ts';
import { done, notFound, refuse } from '../http/result.ts';
import type { SignedIn } from '../http/signed-in.ts';
import type { OwnSource } from '../sources/own-source.ts';
import { targetOf } from '../sources/routes.ts';
import { describeDetail } from './describe-detail.ts';
import { storeFilter } from './filter.ts';
import { reprocessAll, reprocessOne } from './reprocess.ts';

export interface DeliveryRoutesDeps {
  readonly ownSource: OwnSource;
  readonly deliverySearch: DeliverySearch;
  readonly enqueueActions: EnqueueActions;
  readonly eventsUrl: string;
  readonly retentionDays: number;
  readonly audit: Audit;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** Rows are counted up to this number. Beyond it the exact size is irrelevant, and counting would be slow. */
const ROWS_COUNTED = 10_000;

const NO_DELIVERY = notFound('delivery');

/** Routes of single deliveries and of reprocessing. */
export function deliveryRoutes({ guarded }: Binder, deps: DeliveryRoutesDeps): void {
  const { ownSource, deliverySearch, audit } = deps;
  const routes = ROUTES.deliveries;

  const ownDelivery = async (who: SignedIn, id: string): Promise<Delivery | undefined> => {
    const row = await (id.startsWith('req_')
      ? deliverySearch.findRefusal(id)
      : deliverySearch.findDelivery(id));
    return row?.account_id === who.accountId ? row : undefined;
  };

  guarded(routes.count, { query: deliveryFilter }, async ({ who, query }) => {
    if ((await ownSource(who, query.source_id)) === undefined) return notFound('source');
    return done(await countMatching(deliverySearch, storeFilter(query)));
  });

  guarded(routes.size, { query: liveQuery }, async ({ who, query: { source_id } }) => {
    if ((await ownSource(who, source_id)) === undefined) return notFound('source');
    const rows = await deliverySearch.countRows(source_id, ROWS_COUNTED + 1);
    return done({ rows: Math.min(rows, ROWS_COUNTED), more: rows > ROWS_COUNTED });
  });

  guarded(routes.show, {}, async ({ who, params }) => {
    const row = await ownDelivery(who, params.deliveryId as string);
    const source = row && (await ownSource(who, row.source_id));
    if (row === undefined || source === undefined) return NO_DELIVERY;
    const [reprocessedAs, previous = null] = await Promise.all([
      deliverySearch.listReprocesses(row.delivery_id),
      deliverySearch.previousOfEvent(row),
    ]);
    return done(describeDetail({ ...deps, row, source, reprocessedAs, previous, now: deps.now() }));
  });

  guarded(routes.reprocess, {}, async ({ who, params, request }) => {
    const row = await ownDelivery(who, params.deliveryId as string);
    const source = row && (await ownSource(who, row.source_id));
    if (row === undefined || source === undefined) return NO_DELIVERY;
    const result = await reprocessOne(deps.enqueueActions, row);
    if (result.outcome === 'refused') return result;
    await audit(who, request, {
      action: 'deliveries.reprocessed',
      target: targetOf(source),
      detail: row.delivery_id,
    });
    return done({ delivery_id: result.delivery_id, reprocess_of: row.delivery_id });
  });

  guarded(routes.reprocessMatching, { body: reprocessMatching }, async ({ who, body, request }) => {
    const source = await ownSource(who, body.filter.source_id);
    if (source === undefined) return notFound('source');
    const filter = { ...storeFilter(body.filter), with_body: true };
    const matching = await deliverySearch.countDeliveries(filter);
    if (matching !== body.expected)
      return refuse(
        'count_changed',
        `${matching} deliveries match now, not ${body.expected}. Check them, then confirm again.`,
      );
    if (matching > REPROCESS_LIMIT)
      return refuse(
        'conflict',
        `At most ${REPROCESS_LIMIT} deliveries can be reprocessed at once. Narrow the filter, for example by time.`,
      );
    const rows = await deliverySearch.oldestDeliveries(filter, REPROCESS_LIMIT);
    const result = await reprocessAll(deps.enqueueActions, rows);
    const detail = `${result.reprocessed} of ${matching}`;
    await audit(who, request, { action: 'deliveries.reprocessed', target: targetOf(source), detail });
    return done(result);
  });
}

async function countMatching(search: DeliverySearch, filter: ReturnType<typeof storeFilter>) {
  const [matching, reprocessable] = await Promise.all([
    search.countDeliveries(filter),
    search.countDeliveries({ ...filter, with_body: true }),
  ]);
  return { matching, reprocessable };
}
