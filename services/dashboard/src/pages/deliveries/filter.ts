import type { DeliveryFilter, DeliveryItem } from '@sluice/dashboard-api/deliveries';

/** The filters in the address. The API has the same names. */
export const FILTER_NAMES = [
  'status_class',
  'status',
  'code',
  'action',
  'outcome',
  'from',
  'to',
  'title',
  'event_id',
  'made_by',
] as const;
export type FilterName = (typeof FILTER_NAMES)[number];
export type Filters = Readonly<Partial<Record<FilterName, string>>>;

export function readFilters(search: URLSearchParams): Filters {
  const filters: Partial<Record<FilterName, string>> = {};
  for (const name of FILTER_NAMES) {
    const value = search.get(name);
    if (value !== null && value !== '') filters[name] = value;
  }
  return filters;
}

/** Converts the filters for the API. The API validates what a user typed into the address. */
export function toQuery(sourceId: string, filters: Filters): DeliveryFilter {
  return { source_id: sourceId, ...filters } as DeliveryFilter;
}

/** Returns whether the API would list this delivery under these filters. Used for new deliveries. */
export function matches(item: DeliveryItem, filters: Filters): boolean {
  const at = Date.parse(item.received_at);
  const { status_class: statusClass, title } = filters;
  return (
    (statusClass === undefined || `${Math.floor(item.http_status / 100)}xx` === statusClass) &&
    (filters.status === undefined || item.http_status === Number(filters.status)) &&
    (filters.code === undefined || item.code === filters.code) &&
    (filters.action === undefined || item.action === filters.action) &&
    (filters.outcome === undefined || item.outcome === filters.outcome) &&
    (filters.made_by === undefined || (item.origin === 'webhook') === (filters.made_by === 'requests')) &&
    (filters.event_id === undefined || item.event_id === filters.event_id) &&
    (filters.from === undefined || at >= Date.parse(filters.from)) &&
    (filters.to === undefined || at < Date.parse(filters.to)) &&
    (title === undefined || (item.title ?? '').toLowerCase().includes(title.toLowerCase()))
  );
}
