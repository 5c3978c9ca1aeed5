import { showFields } from '@sluice/contract/event/event-record';
import { nextOccurrence } from '@sluice/contract/event/next-occurrence';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import { formatInstant, instantOrNull } from '@sluice/contract/time/instant';
import { zoneClock } from '@sluice/contract/time/zone-clock';
import type { EventSearch } from '@sluice/store/events/event-search';
import type { ListedEvent } from '@sluice/store/events/listed-event';
import { type Command, Option } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { positiveInteger } from '../option-types.ts';
import type { Row } from '../output.ts';
import { readPages } from '../paged-list.ts';
import { EVENT_SOURCES, findInFamily } from '../source-family.ts';

interface Options extends CommonOptions {
  readonly source: string;
  readonly includeDeleted?: true;
  readonly limit?: number;
  readonly when?: 'upcoming' | 'past';
}

const COLUMNS = ['event_id', 'starts_at', 'title', 'location', 'status', 'updated_at'];
const UPCOMING_COLUMNS = ['event_id', 'next_starts_at', ...COLUMNS.slice(1)];

/** sluice events list */
export function addEventsList(parent: Command, context: Context): void {
  const command = parent
    .command('list')
    .description("list a source's events by start time, upcoming ones by their next start")
    .requiredOption('--source <id>', 'the source')
    .option('--include-deleted', 'include deleted events that are still remembered')
    .addOption(new Option('--when <when>', 'only upcoming or past events').choices(['upcoming', 'past']))
    .option('--limit <n>', 'only the first N', positiveInteger)
    .addHelpText('after', '\nExample:\n  sluice events list --source src_… --json');

  onStores<Options>(context, command, async ({ stack, output, options, now }) => {
    const { source: source_id, includeDeleted = false, limit, when } = options;
    const { sources, events, eventSearch } = await stack.store();
    await findInFamily(EVENT_SOURCES, sources, source_id);
    const deletedAt = includeDeleted ? ['deleted_at'] : [];
    const at = now();
    if (when === 'upcoming') {
      const found = upcoming(eventSearch, { source_id, includeDeleted, limit, now: at });
      return output.rows(upcomingRows(found, at), [...UPCOMING_COLUMNS, ...deletedAt]);
    }
    const found = events.listEvents({
      source_id,
      includeDeleted,
      limit,
      when: when && { is: when, now: at },
    });
    await output.rows(eventRows(found), [...COLUMNS, ...deletedAt]);
  });
}

async function* eventRows(events: AsyncIterable<ListedEvent>): AsyncIterable<Row> {
  for await (const event of events) yield eventRow(event);
}

interface Upcoming {
  readonly source_id: string;
  readonly includeDeleted: boolean;
  readonly limit: number | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

type EventPlace = { readonly starts_at: number; readonly event_id: string };

/** In the order of their next start, as the dashboard lists them. */
function upcoming(
  { pageEvents }: Pick<EventSearch, 'pageEvents'>,
  { source_id, includeDeleted, limit = Number.POSITIVE_INFINITY, now }: Upcoming,
): AsyncIterable<ListedEvent> {
  const filter = {
    ...{ source_ids: [source_id], when: { is: 'upcoming', now } as const, include_deleted: includeDeleted },
  };
  return readPages<ListedEvent, EventPlace>(limit, async ({ limit: most, after }) => {
    const { items, more } = await pageEvents(filter, {
      ...{ descending: false, limit: most },
      ...(after !== undefined && { after }),
    });
    const last = items.at(-1);
    const isLast = !more || last === undefined;
    return {
      items,
      next: isLast ? null : { starts_at: nextOccurrence(last, now), event_id: last.event_id },
    };
  });
}

/** With the next start in the time zone of the event, and the name of this zone if it is known. */
async function* upcomingRows(events: AsyncIterable<ListedEvent>, now: number): AsyncIterable<Row> {
  for await (const event of events) {
    const { event_id, ...row } = eventRow(event);
    yield {
      event_id: event_id as string,
      next_starts_at: inZone(nextOccurrence(event, now), event.time_zone),
      ...row,
      ...(event.time_zone !== null && { time_zone: event.time_zone }),
    };
  }
}

/** Formats an instant with the offset of a zone; in UTC if none is known. */
function inZone(instant: number, zone: string | null): string {
  const clock = zone === null ? undefined : zoneClock(zone);
  if (clock === undefined) return formatInstant(instant);
  const local = clock.toLocal(instant);
  const minutes = Math.round((local - instant) / MINUTE_MS);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
  return `${new Date(local).toISOString().slice(0, 19)}${offset}`;
}

/** The id, the fields that a sender may set and the times. `deleted_at` is only present for a deleted event, `recurs_until` for a series that ends. */
function eventRow({ deleted_at, recurs_until, ...event }: ListedEvent): Row {
  return {
    event_id: event.event_id,
    ...showFields(event),
    created_at: instantOrNull(event.created_at),
    updated_at: instantOrNull(event.updated_at),
    ...(recurs_until !== null && { recurs_until: formatInstant(recurs_until) }),
    ...(deleted_at !== null && { deleted_at: formatInstant(deleted_at) }),
  };
}
