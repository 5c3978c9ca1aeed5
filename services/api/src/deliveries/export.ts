import type { ListedDelivery } from '@sluice/contract/delivery/delivery';
import {
  type DeliveryItem,
  deliveryExport,
  deliveryItem,
  type EXPORT_FORMATS,
} from '@sluice/dashboard-api/deliveries';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { DeliveryFilter } from '@sluice/store/deliveries/delivery-search';
import type { Page } from '@sluice/store/reading/read-page';
import type { Binder } from '../http/bind.ts';
import { BOM, csvLine } from '../http/csv.ts';
import { notFound } from '../http/result.ts';
import { sendPages } from '../http/send-pages.ts';
import type { RouteDeps } from '../parts.ts';
import { describeDelivery } from './describe-delivery.ts';
import { storeFilter } from './filter.ts';
import { logOf } from './log-of.ts';

interface ExportFormat {
  readonly contentType: string;
  /** Written before the first row. */
  readonly head: string;
  readonly line: (item: DeliveryItem) => string;
}

const COLUMNS = Object.keys(deliveryItem.shape) as (keyof DeliveryItem)[];

/** File formats of the delivery log: NDJSON for programs, CSV (RFC 4180) for spreadsheets. */
export const FORMATS: Record<(typeof EXPORT_FORMATS)[number], ExportFormat> = {
  ndjson: {
    contentType: 'application/x-ndjson; charset=utf-8',
    head: '',
    line: (item) => `${JSON.stringify(item)}\n`,
  },
  csv: {
    contentType: 'text/csv; charset=utf-8',
    head: BOM + csvLine(COLUMNS),
    line: (item) => csvLine(COLUMNS.map((name) => item[name])),
  },
};

/** Rows read per page. Only one page is in memory, however large the file is. */
const PAGE = 500;

/** Exports matching rows of the delivery log as a file. Like the list, it contains no bodies, so viewers may use it. */
export function exportRoute({ guarded }: Binder, deps: RouteDeps): void {
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
  search: RouteDeps['deliverySearch'],
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
