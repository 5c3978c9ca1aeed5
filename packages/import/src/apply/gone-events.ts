import { formatInstant } from '@sluice/contract/time/instant';
import type { GoneEvents } from '@sluice/dashboard-api/imports';
import { GONE_SHOWN } from '@sluice/dashboard-api/limits';
import type { StoredEvent } from '@sluice/store/events/event-document';
import type { KnownEventsDeps } from './known-events.ts';

/**
 * The upcoming events of the last import of a calendar into a source that are not among `eventIds`, the events of another calendar.
 * Feeds of booking systems say so that a booking was cancelled. Nothing is gone if the two have no event in common. Names the first ones by time.
 */
export async function goneEvents(
  { importTurns, imports, events, now }: Omit<KnownEventsDeps, 'importedUids'>,
  { account_id, source_id }: { readonly account_id: string; readonly source_id: string },
  eventIds: readonly string[],
): Promise<GoneEvents> {
  const { import_id } = await importTurns.readTurn(source_id);
  const last = await imports.findImport(account_id, source_id, import_id);
  const present = new Set(eventIds);
  const nothing: GoneEvents = { count: 0, events: [] };
  if (last === undefined || last.undone_at !== null) return nothing;
  let wanted: readonly string[] = last.event_ids.filter((id) => !present.has(id));
  if (wanted.length === last.event_ids.length) return nothing;
  const gone: StoredEvent['identity'][] = [];
  while (wanted.length > 0) {
    const portion = await events.loadPortion(wanted);
    for (const event of portion.events.values()) if (isUpcoming(event, now())) gone.push(event.identity);
    wanted = portion.unread;
  }
  gone.sort((one, other) => one.starts_at - other.starts_at);
  const shown = gone.slice(0, GONE_SHOWN);
  return {
    count: gone.length,
    events: shown.map(({ title, starts_at }) => ({ title, starts_at: formatInstant(starts_at) })),
  };
}

function isUpcoming({ identity, state: { content, status } }: StoredEvent, now: number): boolean {
  if (content === null || status?.value === 'cancelled') return false;
  const { recurring, recurs_until } = content.value;
  const last = recurring === undefined ? identity.starts_at : recurs_until;
  return last === undefined || last >= now;
}
