import { eventId, eventIdOf } from '@sluice/contract/event/event-id';
import type { ImportRow } from '@sluice/dashboard-api/imports';
import type { Events } from '@sluice/store/events/events';
import { type ReadRow, type RowSource, readRow } from './action-of-row.ts';

/**
 * Reads rows. One without an `external_id` whose title, start and location are those of one event that has one is about this event.
 * Otherwise each import would add another event beside it.
 */
export async function addressRows(
  { identitiesAt }: Pick<Events, 'identitiesAt'>,
  source: RowSource,
  rows: readonly ImportRow[],
): Promise<ReadRow[]> {
  const read = rows.map((row) => readRow(source, row));
  const plain = read.flatMap((one) => {
    if (one.outcome === 'bad' || one.action.external_id !== undefined) return [];
    return [one.action.identity.starts_at];
  });
  if (plain.length === 0) return read;
  const idsOf = new Map<string, (string | undefined)[]>();
  for (const { identity, external_id } of await identitiesAt(source.source_id, plain)) {
    const key = eventId(source.source_id, identity);
    idsOf.set(key, [...(idsOf.get(key) ?? []), external_id]);
  }
  return read.map((one) =>
    one.outcome === 'bad' ? one : addressed(source.source_id, one, idsOf.get(one.event_id) ?? []),
  );
}

function addressed(
  sourceId: string,
  one: Extract<ReadRow, { outcome: 'readable' }>,
  ids: readonly (string | undefined)[],
): ReadRow {
  const [external_id] = ids;
  // The event without one is the one that the row names.
  if (external_id === undefined || ids.includes(undefined)) return one;
  const { row, characters } = one;
  if (ids.length > 1)
    return { row, characters, outcome: 'bad', errors: [{ field: 'title', detail: SEVERAL }] };
  const action = { ...one.action, external_id };
  return { ...one, action, event_id: eventIdOf(sourceId, action) };
}

const SEVERAL =
  'Several events with an external_id have this title, start and location. Import a column external_id.';
