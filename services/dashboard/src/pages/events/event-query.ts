import type { EventQuery } from '@sluice/contract/dashboard/events';

const WHENS = ['upcoming', 'past', 'all'] as const;

/** What the address asks for. Deleted events are shown in `all` when somebody asks for them. */
export function readEventQuery(search: URLSearchParams): EventQuery {
  const when = WHENS.find((one) => one === search.get('when')) ?? 'upcoming';
  const status = (['upcoming', 'cancelled'] as const).find((one) => one === search.get('status'));
  const q = search.get('q') ?? '';
  return {
    when,
    ...(q === '' ? {} : { q }),
    ...(status === undefined ? {} : { status }),
    ...(search.get('deleted') === 'true' ? { include_deleted: 'true' as const } : {}),
  };
}

export function isFiltered(query: EventQuery): boolean {
  return query.q !== undefined || query.status !== undefined || query.when !== 'upcoming';
}
