import type { ListedDelivery } from '@sluice/contract/delivery';
import { deliveryExport } from '@sluice/dashboard-api/deliveries';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { DeliveryFilter, DeliverySearch } from '@sluice/store/deliveries/delivery-search';
import type { Page } from '@sluice/store/reading/read-page';
import type { Binder } from '../http/bind.ts';
import { notFound } from '../http/result.ts';
import { sendPages } from '../http/send-pages.ts';
import { describeDelivery } from './describe-delivery.ts';
import { FORMATS } from './export-formats.ts';
import { storeFilter } from './filter.ts';
import { type LogOfDeps, logOf } from './log-of.ts';

export interface ExportDeps extends LogOfDeps {
  readonly deliverySearch: Pick<DeliverySearch, 'pageDeliveries'>;
  readonly now: () => number;
}

/** Rows read per page. Only one page is in memory, however large the file is. */
const PAGE = 500;

/** Exports matching rows of the delivery log as a file. Like the list, it contains no bodies, so viewers may use it. */
export function exportRoute({ guarded }: Binder, deps: ExportDeps): void {
  guarded(ROUTES.deliveries.export, { query: deliveryExport }, async ({ who, query, response }) => {
    const log = await logOf(deps, who, query.source_id);
    if (log === undefined) return notFound('source');
    const pages = pagesOf(deps.deliverySearch, storeFilter(query, log));
    // Read before the headers are sent: a store failure then becomes an error response, not a truncated file.
    const first = await pages.next();
    const day = new Date(deps.now()).toISOString().slice(0, 10);
    const name = `deliveries-${query.source_id ?? 'all'}-${day}.${query.format}`;
    const format = FORMATS[query.format];
    response.writeHead(200, {
      'content-type': format.contentType,
      'content-disposition': `attachment; filename="${name}"`,
    });
    const { head, line } = format;
    const text = { head, line: (row: ListedDelivery) => line(describeDelivery(row)) };
    await sendPages(response, text, first.value ?? [], pages);
    return 'sent';
  });
}

/** Yields page after page, newest first. Each page is read once the consumer has processed the previous one. */
async function* pagesOf(
  search: ExportDeps['deliverySearch'],
  filter: DeliveryFilter,
): AsyncGenerator<readonly ListedDelivery[], undefined> {
  let after: ListedDelivery | undefined;
  do {
    const place = after === undefined ? {} : { after };
    const page: Page<ListedDelivery> = await search.pageDeliveries(filter, { limit: PAGE, ...place });
    yield page.items;
    after = page.more ? page.items.at(-1) : undefined;
  } while (after !== undefined);
}
