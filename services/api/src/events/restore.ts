import { readKeptAction } from '@sluice/accounts/deliveries/kept-action';
import type { WantedAction } from '@sluice/admission/enqueue/wanted-action';
import type { Delivery, Outcome } from '@sluice/contract/delivery/delivery';
import type { UpsertAction } from '@sluice/contract/event/action';
import { CONTENT_FIELDS } from '@sluice/contract/event/event-fields';
import { eventIdOf } from '@sluice/contract/event/event-id';
import { formatInstant } from '@sluice/contract/time/instant';
import type { RestoresFrom } from '@sluice/dashboard-api/events';
import type { Mapper } from '@sluice/signature/mapping/mapper';
import type { DeliverySearch } from '@sluice/store/deliveries/delivery-search';
import { addressOf, type ListedEvent } from '@sluice/store/events/listed-event';

const HISTORY = 100;

/** Outcomes of upserts that gave the event its content. A repeat and a superseded or failed upsert keep a body too. */
const SET_CONTENT: readonly Outcome[] = ['created', 'updated'];

interface RestoreDeps {
  readonly deliverySearch: Pick<DeliverySearch, 'historyWithBodies'>;
  /** The mapping of the source. */
  readonly mapper: Mapper | undefined;
}

/**
 * The action that restores an event: a cancelled one is upcoming again, and a deleted one gets the content of its last
 * stored upsert. Undefined: no stored delivery has the content of the deleted event.
 */
export async function restoring(deps: RestoreDeps, event: ListedEvent): Promise<WantedAction | undefined> {
  if (event.deleted_at === null) return { action: upsertOf(event) };
  const found = await findContent(deps, event.event_id);
  return found === undefined ? undefined : { action: found.action };
}

/** For the dialog: the delivery whose content a restore uses. Null: none, or the event is not deleted. */
export async function contentToRestore(deps: RestoreDeps, event: ListedEvent): Promise<RestoresFrom | null> {
  const found = event.deleted_at === null ? undefined : await findContent(deps, event.event_id);
  if (found === undefined) return null;
  const { row, isLatest } = found;
  return {
    delivery_id: row.delivery_id,
    received_at: formatInstant(row.received_at),
    is_latest: isLatest,
  };
}

interface StoredContent {
  readonly row: Delivery;
  readonly action: UpsertAction;
  /** False: later upserts have set other content, and their bodies are not stored. */
  readonly isLatest: boolean;
}

/** Rows are in the order of their arrival. The sequence numbers say which content was the last. */
async function findContent(
  { deliverySearch, mapper }: RestoreDeps,
  eventId: string,
): Promise<StoredContent | undefined> {
  const found = await deliverySearch.historyWithBodies(eventId, HISTORY, SET_CONTENT);
  const rows = found.toSorted((a, b) => (b.sequence ?? 0) - (a.sequence ?? 0));
  for (const row of rows) {
    const action = storedUpsert(row, mapper);
    if (action !== undefined) return { row, action, isLatest: row === rows[0] };
  }
  return undefined;
}

function storedUpsert(row: Delivery, mapper: Mapper | undefined): UpsertAction | undefined {
  const kept = readKeptAction(row, mapper);
  if (kept.status !== 'action' || kept.action.kind !== 'upsert') return undefined;
  // The mapping may have changed since, and make another event of the body.
  if (kept.mapped !== undefined && eventIdOf(row.source_id, kept.action) !== row.event_id) return undefined;
  return { ...kept.action, status: 'upcoming' };
}

function upsertOf(event: ListedEvent): UpsertAction {
  const set = CONTENT_FIELDS.filter(({ name }) => event[name] !== null);
  return {
    kind: 'upsert',
    ...addressOf(event),
    content: Object.fromEntries(set.map(({ name }) => [name, event[name]])),
    status: 'upcoming',
  };
}
