import { type LeadExport, type LeadItem, leadExport } from '@sluice/dashboard-api/leads';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { LEAD_EXPORT_COLUMNS } from '@sluice/import/read/lead-mapping';
import type { LeadDeps } from '@sluice/leads/deps';
import { type LeadsListed, listLeads } from '@sluice/leads/list/list-leads';
import type { Lead } from '@sluice/store/leads/lead-document';
import type { Binder } from '../http/bind.ts';
import { BOM, csvLine } from '../http/csv.ts';
import { sendPages } from '../http/send-pages.ts';
import type { RouteDeps } from '../parts.ts';
import { listOrder, placeOf, SEARCH_TOO_SHORT } from './list-order.ts';
import { describeLeadItem } from './written.ts';

/** Leads read per page. Only one page is in memory, however large the file is. A lead may have 100 KB. */
const PAGE = 100;

/** Exports all matching leads as a CSV file. */
export function leadExportRoute({ guarded }: Binder, deps: RouteDeps): void {
  guarded(ROUTES.leads.export, { query: leadExport }, async ({ who, query, request, response }) => {
    const pages = pagesOf(deps.leadDeps, who.accountId, query);
    // Read before the headers are sent: a store failure then becomes an error response, not a truncated file.
    const first = await pages.next();
    if (first.done === true) return SEARCH_TOO_SHORT;
    const settings = await deps.leadDeps.settings.readFresh(who.accountId);
    await deps.audit(who, request, {
      action: 'leads.exported',
      target: { id: who.accountId, name: 'all leads' },
      ...filterDetail(query),
    });
    const { head, line } = leadCsv(
      settings.custom_fields.map(({ name }) => name),
      new Map(settings.stages.map(({ id, name }) => [id, name])),
    );
    const day = new Date(deps.now()).toISOString().slice(0, 10);
    response.writeHead(200, {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="leads-${day}.csv"`,
    });
    const text = { head, line: (lead: Lead) => line(describeLeadItem(lead)) };
    await sendPages(response, text, first.value, pages);
    return 'sent';
  });
}

/** Names the filters that were set. A search may be the name of a person, so values are left out. */
function filterDetail({ sort: _, ...filters }: LeadExport): { readonly detail?: string } {
  const names = Object.keys(filters);
  return names.length === 0 ? {} : { detail: `filtered by ${names.join(', ')}` };
}

/** Yields page after page. Each page is read once the consumer has processed the previous one. No page: `q` is too short. */
async function* pagesOf(
  leadDeps: LeadDeps,
  accountId: string,
  { sort, ...filter }: LeadExport,
): AsyncGenerator<readonly Lead[], undefined> {
  const order = listOrder(sort);
  let last: Lead | undefined;
  do {
    const after = last === undefined ? {} : { after: placeOf(last, order.by) };
    const page: LeadsListed = await listLeads(leadDeps, {
      accountId,
      filter,
      ...order,
      limit: PAGE,
      ...after,
    });
    if (page.status === 'query_too_short') return;
    yield page.items;
    last = page.more ? page.items.at(-1) : undefined;
  } while (last !== undefined);
}

interface LeadCsv {
  readonly head: string;
  readonly line: (lead: LeadItem) => string;
}

/**
 * The format of an export: CSV (RFC 4180) for spreadsheets. `customFields` are the names of further columns. `stageNames`:
 * by id.
 */
function leadCsv(customFields: readonly string[], stageNames: ReadonlyMap<string, string>): LeadCsv {
  const textAt = (lead: LeadItem, column: (typeof LEAD_EXPORT_COLUMNS)[number]): string | null => {
    if (column === 'stage') return stageNames.get(lead.stage) ?? lead.stage;
    return column === 'tags' ? lead.tags.join(', ') : (lead[column as keyof LeadItem] as string | null);
  };
  return {
    head: BOM + csvLine([...LEAD_EXPORT_COLUMNS, ...customFields]),
    line: (lead) =>
      csvLine([
        ...LEAD_EXPORT_COLUMNS.map((column) => textAt(lead, column)),
        // A field may be named like a property of every object, such as `constructor`.
        ...customFields.map((name) => (Object.hasOwn(lead.fields, name) ? lead.fields[name] : null) ?? null),
      ]),
  };
}
