import { formatInstant } from '@sluice/contract/instant';
import type { KnownEvent } from '@sluice/dashboard-api/imports';
import type { StoredEvent } from '@sluice/store/events/event-document';
import type { Events } from '@sluice/store/events/events';
import type { FoundUid, ImportedUids } from '@sluice/store/imports/imported-uids';

export interface KnownEventsDeps {
  readonly importedUids: Pick<ImportedUids, 'findUids' | 'findTaken'>;
  readonly events: Pick<Events, 'loadPortion'>;
}

type Known = Omit<KnownEvent, 'uid' | 'recurrence_id'>;

/**
 * The stored events that earlier imports made of these UIDs. Deleted events are omitted. If the last event of a UID does not exist,
 * its import was undone or has stopped, so an earlier one that is not cancelled counts. An earlier event that another UID became since
 * does not: its cancel would be that of the other.
 */
export async function knownEvents(
  { importedUids, events }: KnownEventsDeps,
  sourceId: string,
  uids: readonly string[],
): Promise<KnownEvent[]> {
  const entries = await importedUids.findUids(sourceId, uids);
  const last = await existing(
    events,
    entries.map(({ event_id }) => event_id),
  );
  const gone = entries.filter(({ event_id }) => !last.has(event_id));
  const ids = gone.flatMap(({ earlier = [] }) => earlier);
  const taken = await importedUids.findTaken(sourceId, ids);
  const before = await existing(
    events,
    ids.filter((id) => !taken.has(id)),
  );
  const earlierOf = ({ earlier = [] }: FoundUid) =>
    earlier.map((id) => before.get(id)).find((one) => one?.cancelled === false);
  return entries.flatMap((entry) => {
    const { uid, recurrence_id, event_id } = entry;
    const event = last.get(event_id) ?? earlierOf(entry);
    return event === undefined ? [] : [{ uid, recurrence_id, ...event }];
  });
}

/** Those of the events that exist. */
async function existing(
  events: KnownEventsDeps['events'],
  ids: readonly string[],
): Promise<ReadonlyMap<string, Known>> {
  const found = new Map<string, Known>();
  for (let wanted: readonly string[] = [...new Set(ids)]; wanted.length > 0; ) {
    const portion = await events.loadPortion(wanted);
    for (const [id, event] of portion.events) if (event.state.content !== null) found.set(id, knownOf(event));
    wanted = portion.unread;
  }
  return found;
}

function knownOf({ event_id, identity, state }: StoredEvent): Known {
  const { title, starts_at, location } = identity;
  const cancelled = state.status?.value === 'cancelled';
  return { event_id, title, starts_at: formatInstant(starts_at), location, cancelled };
}
