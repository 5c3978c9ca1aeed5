import type { EventIdentity } from '@sluice/contract/event/event-fields';
import { HOUR_MS, MINUTE_MS } from '@sluice/contract/time/durations';
import { formatInstant } from '@sluice/contract/time/instant';
import type { NearEvent } from '@sluice/dashboard-api/deliveries';
import type { EventFilter, EventSearch } from '@sluice/store/events/event-search';
import type { ListedEvent } from '@sluice/store/events/listed-event';

/** The event that a request named. Only the title is known if its body was not stored. */
export type Named = Pick<EventIdentity, 'title'> & Partial<EventIdentity>;

const SHOWN = 3;
const FOUND = 5;

/**
 * The events of a source that a request nearly named, nearest first, and how each differs. Empty if the store needs too
 * long for it.
 */
export async function nearEvents(
  { pageEvents }: Pick<EventSearch, 'pageEvents'>,
  sourceId: string,
  named: Named,
): Promise<NearEvent[]> {
  const { title, starts_at: at } = named;
  const same = { source_ids: [sourceId], include_deleted: true };
  const find = async (filter: Partial<EventFilter>, descending: boolean) =>
    (await pageEvents({ ...same, ...filter }, { descending, limit: FOUND })).items;
  const search =
    at === undefined
      ? [find({ text: title }, true)]
      : [
          find({ from: at, to: at + 1 }, false),
          find({ text: title, from: at }, false),
          find({ text: title, to: at }, true),
        ];
  const found = await Promise.all(search).catch(() => []);
  const byId = new Map(found.flat().map((event) => [event.event_id, event]));
  return [...byId.values()]
    .map((event) => ({ event, differs: differences(event, named) }))
    .toSorted((a, b) => a.differs.length - b.differs.length || distance(a.event, at) - distance(b.event, at))
    .slice(0, SHOWN)
    .map(({ event, differs }) => ({
      event_id: event.event_id,
      title: event.title,
      starts_at: formatInstant(event.starts_at),
      location: event.location,
      external_id: event.external_id,
      deleted: event.deleted_at !== null,
      differs,
    }));
}

function distance({ starts_at }: ListedEvent, at = starts_at): number {
  return Math.abs(starts_at - at);
}

/** A sentence for each part of the identity in which the event differs from the request. */
export function differences(
  event: Pick<ListedEvent, 'title' | 'starts_at' | 'location'>,
  named: Named,
): string[] {
  const differs: string[] = [];
  if (event.title !== named.title)
    differs.push(
      event.title.toLowerCase() === named.title.toLowerCase()
        ? 'The title differs in upper and lower case.'
        : `The title is “${event.title}”, not “${named.title}”.`,
    );
  if (named.starts_at !== undefined && event.starts_at !== named.starts_at)
    differs.push(startDiffers(event.starts_at, named.starts_at));
  const location = event.location ?? '';
  if (named.location !== undefined && location !== named.location)
    differs.push(`The location is ${quoted(location)}, not ${quoted(named.location)}.`);
  return differs;
}

/** An offset that was left out shifts a start by whole quarters of an hour, up to 14 hours. */
function startDiffers(starts: number, named: number): string {
  const by = starts - named;
  const size = Math.abs(by);
  const hint =
    size <= 14 * HOUR_MS && size % (15 * MINUTE_MS) === 0
      ? ` Is the offset in starts_at right? The difference is ${size / HOUR_MS} h.`
      : '';
  return `It starts at ${formatInstant(starts)}, not ${formatInstant(named)}.${hint}`;
}

function quoted(text: string): string {
  return text === '' ? 'empty' : `“${text}”`;
}
