import { readAppliedAction } from '@sluice/accounts/deliveries/kept-action';
import type { Delivery } from '@sluice/contract/delivery/delivery';
import { knownMapperOf } from '@sluice/signature/mapping/mapper';
import type { Sender } from '@sluice/signature/sender/sender';
import type { DeliverySearch } from '@sluice/store/deliveries/delivery-search';
import type { EventSearch } from '@sluice/store/events/event-search';
import { type Named, nearEvents } from './near-events.ts';
import type { Why } from './why.ts';

export interface UnchangedDeps {
  readonly deliverySearch: Pick<DeliverySearch, 'historyOfEvent'>;
  readonly eventSearch: Pick<EventSearch, 'pageEvents'>;
}

const HISTORY = 100;
const CHANGED = new Set<string>(['created', 'updated', 'cancelled', 'deleted']);

/** Explains an accepted delivery that changed nothing; null for all others. `sender`: of the source now. */
export async function explainUnchanged(
  deps: UnchangedDeps,
  row: Delivery,
  sender: Sender | undefined,
): Promise<Why | null> {
  if (row.code !== null) return null;
  if (row.outcome === 'duplicate') return explainDuplicate(row, sender);
  if (row.outcome === 'superseded') return explainSuperseded(deps, row);
  return row.outcome === 'not_found' ? explainNotFound(deps, row, sender) : null;
}

function explainDuplicate({ duplicate_of }: Delivery, sender: Sender | undefined): Why {
  const again = sender === undefined ? 'sign it with a new timestamp' : 'reprocess this delivery';
  return {
    ...NOTHING,
    title: 'The same request was received before',
    what: sameAs(sender),
    fix: `A retry needs no fix. To apply the same body a second time, ${again}.`,
    links: duplicate_of === null ? [] : [{ words: 'First request', delivery_id: duplicate_of }],
  };
}

/** Why two requests are the same one (docs/senders.md). The sender may have been changed since. */
function sameAs(sender: Sender | undefined): string {
  if (sender?.verify.id !== undefined)
    return 'A message with the same id was received before. The two have one effect, also if their bodies differ.';
  if (sender !== undefined && !('time' in sender.verify && sender.verify.time !== undefined))
    return 'The same body was received before, and it says when the change was made. The two are one change.';
  return 'Its timestamp, signature and body are those of an earlier request. The two have one effect.';
}

async function explainSuperseded({ deliverySearch }: UnchangedDeps, row: Delivery): Promise<Why> {
  const { event_id, sequence } = row;
  const history = event_id === null ? [] : await deliverySearch.historyOfEvent(event_id, HISTORY);
  const later = history.find(
    (other) => other.sequence !== null && other.sequence > (sequence ?? 0) && CHANGED.has(other.outcome),
  );
  return {
    ...NOTHING,
    title: 'A later action was applied first',
    what: 'Actions count in the order in which they were accepted. An action that was accepted after this one has already changed the event, so this one changes nothing.',
    fix: 'Nothing is lost: the event has the later content. If this content is right, reprocess this delivery.',
    links: later === undefined ? [] : [{ words: 'Later action', delivery_id: later.delivery_id }],
  };
}

async function explainNotFound(
  { eventSearch }: UnchangedDeps,
  row: Delivery,
  sender: Sender | undefined,
): Promise<Why> {
  if (row.external_id !== undefined)
    return {
      ...NOTHING,
      title: 'No event has this external_id',
      what: `No upsert with the external_id “${row.external_id}” was applied before, or the event was deleted since.`,
      fix: 'Send the external_id of the upsert. If the upsert comes later, nothing needs a fix: it wins.',
    };
  const named = identityOf(row, sender);
  const near = named === null ? [] : await nearEvents(eventSearch, row.source_id, named);
  const [first] = near;
  const other = near.find((one) => one.external_id !== null && !one.deleted && one.differs.length === 0);
  if (other !== undefined)
    return {
      ...NOTHING,
      title: 'The event has an external_id',
      what: `An event with this title, start and location has the external_id “${other.external_id}”.`,
      fix: row.mapped === undefined ? 'Send external_id.' : 'Read external_id in the mapping.',
      near,
    };
  const isGone = first?.deleted === true && first.differs.length === 0;
  return {
    ...NOTHING,
    title: isGone ? 'The event was deleted before' : 'No event has this title, start and location',
    what: isGone
      ? 'An earlier action deleted it, so there is nothing to change.'
      : 'A cancel or delete finds its event by title, starts_at and location. All three must be those of the upsert.',
    fix: isGone
      ? 'No fix is needed. An upsert creates the event again.'
      : near.length === 0
        ? 'Send the title, starts_at and location of the upsert. If the upsert comes later, nothing needs a fix: it wins.'
        : 'Compare with the events below, and correct the part that differs in the sender or its mapping.',
    near,
  };
}

const NOTHING: Pick<Why, 'checks' | 'links' | 'near'> = { checks: [], links: [], near: [] };

/** The identity in the stored body, or the title of the row; null for conversations. */
function identityOf(row: Delivery, sender: Sender | undefined): Named | null {
  if (row.conversation_id !== undefined) return null;
  const action = readAppliedAction(row, knownMapperOf(sender));
  if (action !== undefined && 'identity' in action) return action.identity;
  return row.title === null ? null : { title: row.title };
}
