import { formatInstant } from '@sluice/contract/instant';
import type { ListedEvent } from '@sluice/store/listed-event';
import { type Command, Option } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { positiveInteger } from '../option-types.ts';
import type { Row } from '../output.ts';
import { EVENT_SOURCES, findInFamily } from '../source-family.ts';

interface Options extends CommonOptions {
  readonly source: string;
  readonly includeDeleted?: true;
  readonly limit?: number;
  readonly when?: 'upcoming' | 'past';
}

const COLUMNS = ['event_id', 'starts_at', 'title', 'location', 'status', 'updated_at'];

/** sluice events list */
export function addEventsList(parent: Command, context: Context): void {
  const command = parent
    .command('list')
    .description("list a source's events by start time")
    .requiredOption('--source <id>', 'the source')
    .option('--include-deleted', 'include deleted events that are still remembered')
    .addOption(new Option('--when <when>', 'only upcoming or past events').choices(['upcoming', 'past']))
    .option('--limit <n>', 'only the first N', positiveInteger)
    .addHelpText('after', '\nExample:\n  sluice events list --source src_… --json');

  onStores<Options>(context, command, async ({ stack, output, options, now }) => {
    const { source: source_id, includeDeleted = false, limit, when } = options;
    const { sources, events } = await stack.store();
    await findInFamily(EVENT_SOURCES, sources, source_id);
    const found = events.listEvents({
      ...{ source_id, includeDeleted },
      ...(limit !== undefined && { limit }),
      ...(when !== undefined && { when: { is: when, now: now() } }),
    });
    await output.rows(eventRows(found), includeDeleted ? [...COLUMNS, 'deleted_at'] : COLUMNS);
  });
}

async function* eventRows(events: AsyncIterable<ListedEvent>): AsyncIterable<Row> {
  for await (const event of events) yield eventRow(event);
}

/** The id, the fields of service.md 2.4 and the times. `deleted_at` is only present for a deleted event, `recurs_until` for a series that ends. */
function eventRow({ deleted_at, recurs_until, ...event }: ListedEvent): Row {
  return {
    event_id: event.event_id,
    title: event.title,
    starts_at: formatInstant(event.starts_at),
    ends_at: formatted(event.ends_at),
    description: event.description,
    location: event.location,
    url: event.url,
    price: event.price,
    recurring: event.recurring,
    status: event.status,
    created_at: formatted(event.created_at),
    updated_at: formatted(event.updated_at),
    ...(recurs_until !== null && { recurs_until: formatInstant(recurs_until) }),
    ...(deleted_at !== null && { deleted_at: formatInstant(deleted_at) }),
  };
}

function formatted(epochMs: number | null): string | null {
  return epochMs === null ? null : formatInstant(epochMs);
}
