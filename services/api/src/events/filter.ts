import type { eventQuery } from '@sluice/dashboard-api/events';
import type { EventFilter } from '@sluice/store/event-search';
import type * as z from 'zod';

/** Converts a request's filter into a store filter. `when` compares the start of the event. */
export function storeFilter(
  query: z.output<typeof eventQuery>,
  ownSources: readonly string[],
  now: number,
): EventFilter {
  const { source_id, q, status, origin, when, include_deleted, recurring } = query;
  const from = latest(query.from, when === 'upcoming' ? now : undefined);
  const to = earliest(query.to, when === 'past' ? now : undefined);
  return {
    source_ids: source_id === undefined ? ownSources : [source_id],
    ...(q !== undefined && { text: q }),
    ...(status !== undefined && { status }),
    ...(origin !== undefined && { origin }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(include_deleted !== undefined && { include_deleted }),
    ...(recurring === true && { recurring }),
  };
}

function latest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}
