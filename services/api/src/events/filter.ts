import type { eventQuery } from '@sluice/dashboard-api/events';
import type { EventFilter } from '@sluice/store/events/event-search';
import type * as z from 'zod';

/** Converts a request's filter into a store filter. */
export function storeFilter(
  query: z.output<typeof eventQuery>,
  ownSources: readonly string[],
  now: number,
): EventFilter {
  const { source_id, q, status, origin, import_id, when, from, to, include_deleted, recurring } = query;
  return {
    source_ids: source_id === undefined ? ownSources : [source_id],
    ...(q !== undefined && { text: q }),
    ...(status !== undefined && { status }),
    ...(origin !== undefined && { origin }),
    ...(import_id !== undefined && { import_id }),
    ...(when !== undefined && when !== 'all' && { when: { is: when, now } }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(include_deleted !== undefined && { include_deleted }),
    ...(recurring === true && { recurring }),
  };
}
