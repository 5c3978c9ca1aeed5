import { formatInstant } from '@sluice/contract/instant';
import type { KnownEvent } from '@sluice/dashboard-api/imports';
import type { StoredEvent } from '@sluice/store/event-document';
import type { Events } from '@sluice/store/events';
import type { ImportedUids } from '@sluice/store/imported-uids';

export interface KnownEventsDeps {
  readonly importedUids: Pick<ImportedUids, 'findUids'>;
  readonly events: Pick<Events, 'loadPortion'>;
}

/** The stored events that earlier imports made of these UIDs. Deleted events are omitted. */
export async function knownEvents(
  { importedUids, events }: KnownEventsDeps,
  sourceId: string,
  uids: readonly string[],
): Promise<KnownEvent[]> {
  const entries = await importedUids.findUids(sourceId, uids);
  const known: KnownEvent[] = [];
  for (let wanted = [...new Set(entries.map(({ event_id }) => event_id))]; wanted.length > 0; ) {
    const portion = await events.loadPortion(wanted);
    for (const { uid, recurrence_id, event_id } of entries) {
      const event = portion.events.get(event_id);
      if (event !== undefined && event.state.content !== null)
        known.push({ uid, recurrence_id, event_id, ...identityOf(event) });
    }
    wanted = [...portion.unread];
  }
  return known;
}

function identityOf({ identity, state }: StoredEvent) {
  const { title, starts_at, location } = identity;
  const cancelled = state.status?.value === 'cancelled';
  return { title, starts_at: formatInstant(starts_at), location, cancelled };
}
