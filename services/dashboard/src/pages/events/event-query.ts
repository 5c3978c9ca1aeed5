import { EVENT_ORIGINS, type EventOrigin } from '@sluice/contract/event/event-fields';
import type { EventQuery } from '@sluice/dashboard-api/events';

const WHENS = ['upcoming', 'past', 'all'] as const;

/** The display names of origins. */
export const ORIGIN_WORDS: Readonly<Record<EventOrigin, string>> = {
  webhook: 'webhook',
  csv: 'CSV',
  ical: 'iCalendar',
};

/** Reads the query from the address. Deleted events appear under `all` if requested. */
export function readEventQuery(search: URLSearchParams): EventQuery {
  const when = WHENS.find((one) => one === search.get('when')) ?? 'upcoming';
  const status = (['upcoming', 'cancelled'] as const).find((one) => one === search.get('status'));
  const origin = EVENT_ORIGINS.find((one) => one === search.get('origin'));
  const q = search.get('q') ?? '';
  const import_id = search.get('import') ?? '';
  return {
    when,
    ...(q === '' ? {} : { q }),
    ...(status === undefined ? {} : { status }),
    ...(origin === undefined ? {} : { origin }),
    ...(import_id === '' ? {} : { import_id }),
    ...(search.get('deleted') === 'true' ? { include_deleted: 'true' as const } : {}),
  };
}

export function isFiltered(query: EventQuery): boolean {
  const { q, status, origin, import_id, when } = query;
  return [q, status, origin, import_id].some((one) => one !== undefined) || when !== 'upcoming';
}
