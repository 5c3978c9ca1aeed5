import { IDENTITY_FIELDS, SENT_CONTENT_FIELDS } from '@sluice/contract/event/event-fields';
import { describeEvent, type EventRecord } from '@sluice/contract/event/event-record';
import type { Actor, PendingChange } from '@sluice/contract/message/change';
import type { EventChangeKind } from '@sluice/contract/message/event-kinds';
import type { FoldedEvent } from './fold-event.ts';

/** The fields whose change is published. The times and the origin change with every upsert, even one of the same content. */
const PUBLISHED_FIELDS = [...IDENTITY_FIELDS, ...SENT_CONTENT_FIELDS, 'status', 'deleted_at'] as const;
type Previous = Partial<Pick<EventRecord, (typeof PUBLISHED_FIELDS)[number]>>;

/** Sequence numbers of the changes of one write. */
const PER_REVISION = 1000;

export interface WrittenAt {
  /** The revision that the write stores. */
  readonly revision: number;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/**
 * The net changes of an event by the actions of one write, in the order in which they are published. Empty if nothing differs that
 * a subscriber could see.
 */
export function eventChanges(folded: FoldedEvent, { revision, at }: WrittenAt): PendingChange[] {
  const { event, before, last } = folded;
  const [existed, exists] = [before.content !== null, event.state.content !== null];
  if (last === undefined || (!existed && !exists)) return [];
  const record = describeEvent(event);
  const previous = existed ? differences(describeEvent({ ...event, state: before }), record) : undefined;
  const actor = actorOf(folded);
  const became = last.action.kind === 'delete' && !exists ? last.action.became : undefined;
  const data = became === undefined ? record : { ...record, became };
  return kindsOf(record, existed, previous).map(({ kind, fields }, index) => ({
    sequence: revision * PER_REVISION + index,
    kind,
    at,
    actor,
    data,
    ...(fields !== undefined && { previous: fields }),
  }));
}

interface Published {
  readonly kind: EventChangeKind;
  /** The changed fields before the change. Undefined for a new event. */
  readonly fields: Previous | undefined;
}

function kindsOf(data: EventRecord, existed: boolean, previous: Previous | undefined): Published[] {
  if (data.deleted_at !== null) return [{ kind: 'event.deleted', fields: previous }];
  if (!existed || previous === undefined) {
    const created: Published = { kind: 'event.created', fields: undefined };
    // A subscriber of cancellations alone must get this one too.
    return data.status === 'cancelled'
      ? [created, { kind: 'event.cancelled', fields: undefined }]
      : [created];
  }
  const { status, ...others } = previous;
  const isCancelled = status !== undefined && data.status === 'cancelled';
  const updated = isCancelled ? others : previous;
  return [
    ...(Object.keys(updated).length > 0 ? [{ kind: 'event.updated' as const, fields: updated }] : []),
    ...(isCancelled ? [{ kind: 'event.cancelled' as const, fields: { status } }] : []),
  ];
}

/** Those fields of `before` that differ afterwards. */
function differences(before: EventRecord, after: EventRecord): Previous {
  return Object.fromEntries(
    PUBLISHED_FIELDS.filter((name) => before[name] !== after[name]).map((name) => [name, before[name]]),
  );
}

function actorOf({ event: { source_id }, last }: FoldedEvent): Actor {
  const import_id = last?.import_id;
  const actor = { type: 'source', id: source_id } as const;
  return import_id === undefined ? actor : { ...actor, import_id };
}
