import type { Deed } from '@sluice/accounts/audit/audited';
import { reprocessAll, wantedOf } from '@sluice/accounts/deliveries/reprocess';
import { type ReprocessedMany, reprocessMatching } from '@sluice/dashboard-api/deliveries';
import { REPROCESS_LIMIT } from '@sluice/dashboard-api/limits';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { knownMapperOf } from '@sluice/signature/mapping/mapper';
import type { DeliveryPlace } from '@sluice/store/deliveries/delivery-search';
import type { Binder } from '../http/bind.ts';
import { encodeCursor, readCursor } from '../http/cursor.ts';
import { done, notFound, refuse } from '../http/result.ts';
import type { RouteDeps } from '../parts.ts';
import { targetOf } from '../sources/routes.ts';
import { storeFilter } from './filter.ts';
import { DELIVERY_PLACE, placeOf } from './place.ts';

/** Rows of one request: one job of the queue. The dashboard shows its progress after each. */
const ROWS = 200;

/** Reprocesses all rows that match a filter. Each request continues where the previous one ended. */
export function reprocessMatchingRoute({ guarded }: Binder, deps: RouteDeps): void {
  const { ownSource, deliverySearch, audited } = deps;

  guarded(
    ROUTES.deliveries.reprocessMatching,
    { body: reprocessMatching },
    async ({ who, body, request }) => {
      const source = await ownSource(who, body.filter.source_id);
      if (source === undefined) return notFound('source');
      const { source_id } = source;
      const mapper = knownMapperOf(source.sender);
      const begin = readCursor(body.after, DELIVERY_PLACE);
      if (begin.outcome === 'refused')
        return refuse('bad_request', '`after` is not the `next` of a previous response.');
      const { place: after } = begin;
      const filter = { ...storeFilter(body.filter, source_id), with_body: true };
      if (after === undefined) {
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
      }
      const deedOf = (detail: string): Deed => ({
        ...{ action: 'deliveries.reprocessed', target: targetOf(source), detail },
      });
      const result = await audited(who, request, {
        intent: deedOf(`some of ${body.expected}`),
        work: () => reprocessFrom(after),
        deed: ({ reprocessed }) => deedOf(`${reprocessed} of ${body.expected}`),
      });
      return done(result);

      async function reprocessFrom(from: DeliveryPlace | undefined): Promise<ReprocessedMany> {
        const rows = await deliverySearch.oldestDeliveries(filter, ROWS, from);
        const isOnce = body.skip_done ?? false;
        const before = isOnce
          ? await deliverySearch.reprocessedAmong(rows.map(({ delivery_id }) => delivery_id))
          : new Set();
        const left = rows.filter(({ delivery_id }) => !before.has(delivery_id));
        const { deliveryIds, reasons, settled, retryAfterSeconds } = await reprocessAll(
          deps.enqueueActions,
          source_id,
          { all: left.map((row) => wantedOf(row, mapper)), once: isOnce },
        );
        const reprocessed = deliveryIds.length;
        const refused = [...reasons.values()].reduce((sum, count) => sum + count, 0);
        // Without room in the queue, the next request starts with the first row that waits.
        const waiting = retryAfterSeconds === null ? undefined : left[settled];
        const end = waiting === undefined ? rows.length : rows.indexOf(waiting);
        const last = end === 0 ? from : rows[end - 1];
        const isLast = waiting === undefined && rows.length < ROWS;
        return {
          reprocessed,
          refused,
          skipped: end - reprocessed - refused,
          reasons: [...reasons].map(([detail, deliveries]) => ({ detail, deliveries })),
          next: isLast ? null : last === undefined ? encodeCursor(BEGINNING) : encodeCursor(placeOf(last)),
          retry_after_seconds: retryAfterSeconds,
        };
      }
    },
  );
}

/** The place before all rows. */
const BEGINNING = [0, null, ''] as const;
