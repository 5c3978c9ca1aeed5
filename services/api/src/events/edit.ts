import { knownChange } from '@sluice/accounts/audit/audited';
import type { Enqueued } from '@sluice/admission/enqueue/enqueue-actions';
import type { UpsertAction } from '@sluice/contract/event/action';
import { type EventContent, IDENTITY_FIELDS, SENT_CONTENT_FIELDS } from '@sluice/contract/event/event-fields';
import { eventIdOf } from '@sluice/contract/event/event-id';
import { readAction } from '@sluice/contract/event/parse-action';
import { formatInstant, instantOrNull } from '@sluice/contract/time/instant';
import { type EventEdit, eventEdit } from '@sluice/dashboard-api/events';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { addressOf, type ListedEvent } from '@sluice/store/events/listed-event';
import type { Binder } from '../http/bind.ts';
import { done, notFound, type Refusal, refuse, refuseFields } from '../http/result.ts';
import type { RouteDeps } from '../parts.ts';
import { claimEdit } from './claim-edit.ts';

const CHANGED = refuse(
  'conflict',
  'The event was changed since you opened it. Reload it, then make your change again.',
);
const BEING_CHANGED = refuse(
  'conflict',
  'Another edit of this event was accepted and is being applied. Reload it in a moment, then make your change again.',
);
const TAKEN = refuse(
  'conflict',
  'Another event of this source has this title, start and location. Change that one instead.',
);

/** Changes an event with an upsert that is admitted and enqueued like one of the webhook. */
export function editEventRoute({ guarded }: Binder, deps: RouteDeps): void {
  const { eventSearch } = deps;

  guarded(ROUTES.events.edit, { body: eventEdit }, async ({ who, params, body, request }) => {
    const event = await eventSearch.findEvent(params.eventId as string);
    if (event?.account_id !== who.accountId || event.deleted_at !== null) return notFound('event');
    if (body.seen !== instantOrNull(event.updated_at)) return CHANGED;
    const read = editedAction(event, body.event);
    if ('outcome' in read) return read;
    const id = eventIdOf(event.source_id, read);
    const isMoved = id !== event.event_id;
    if (isMoved && (await eventSearch.findEvent(id))?.deleted_at === null) return TAKEN;
    const detail = isMoved
      ? `was “${event.title}” at ${formatInstant(event.starts_at)}`
      : fieldsChanged(event, read);
    const target = { id, name: read.identity.title };
    const deed = { action: 'event.changed', target, detail } as const;
    const work = () => editOnce(deps, event, { seen: body.seen, action: read, isMoved });
    const isEnqueued = ({ upserted }: Edited) => upserted?.outcome === 'enqueued';
    const { upserted, left } = await deps.audited(who, request, knownChange(deed, work, isEnqueued));
    if (upserted?.outcome !== 'enqueued') return upserted ?? notFound('event');
    return left ?? done({ event_id: id, delivery_id: upserted.delivery_id });
  });
}

interface Edited {
  /** undefined: the source is gone. */
  readonly upserted: Enqueued | Refusal | undefined;
  /** Why the old event is still there. */
  readonly left?: Refusal | undefined;
}

/**
 * Makes an edit if no other edit of the same state of the event was accepted. If it throws, it may have been accepted, so the claim
 * stays until its lease ends.
 */
async function editOnce(
  deps: RouteDeps,
  event: ListedEvent,
  edit: { readonly seen: string | null; readonly action: UpsertAction; readonly isMoved: boolean },
): Promise<Edited> {
  const { account_id: accountId, event_id: eventId } = event;
  const claim = await claimEdit(deps, { accountId, eventId, seen: edit.seen });
  if (claim === undefined) return { upserted: BEING_CHANGED };
  const edited = await replaceEvent(deps, event, edit);
  // A rejected edit may be made again. If the old event is still there, it may be edited or deleted again.
  const isDone = edited.upserted?.outcome === 'enqueued' && edited.left === undefined;
  await (isDone ? claim.keep() : claim.release());
  return edited;
}

async function replaceEvent(
  deps: Pick<RouteDeps, 'enqueueActions'>,
  event: ListedEvent,
  { action, isMoved }: { readonly action: UpsertAction; readonly isMoved: boolean },
): Promise<Edited> {
  const [upserted] = await deps.enqueueActions(event.source_id, [{ action }]);
  // The old event goes last: if it cannot, there are two events, and none is lost.
  const left = isMoved && upserted?.outcome === 'enqueued' ? await deleteOld(deps, event) : undefined;
  return { upserted, left };
}

async function deleteOld(
  { enqueueActions }: Pick<RouteDeps, 'enqueueActions'>,
  event: ListedEvent,
): Promise<Refusal | undefined> {
  const action = { kind: 'delete', ...addressOf(event) } as const;
  const [result] = await enqueueActions(event.source_id, [{ action }]);
  if (result?.outcome !== 'refused') return undefined;
  return {
    ...result,
    detail: `The changed event is stored, but the old one is still there: ${result.detail} Then delete the old one.`,
  };
}

/** The upsert of an edit; a refusal names the wrong fields. */
function editedAction(event: ListedEvent, fields: EventEdit['event']): UpsertAction | Refusal {
  const read = readAction({ action: 'upsert', event: fields });
  if (read.outcome !== 'valid') return refuseFields(read.outcome === 'validation_failed' ? read.errors : []);
  if (read.action.kind !== 'upsert') throw new Error(`an upsert was read as ${read.action.kind}`);
  const content = { ...read.action.content, ...seriesOf(event, read.action) };
  // An event with an external_id keeps it, whatever else the edit changes.
  return { ...addressOf(event), ...read.action, content };
}

/** Only imports know the end and the time zone of a series, so they stay while the recurrence does. */
function seriesOf(
  { recurring, recurs_until, time_zone }: ListedEvent,
  { content, identity }: UpsertAction,
): Pick<EventContent, 'recurs_until' | 'time_zone'> {
  if (content.recurring === undefined || content.recurring !== recurring) return {};
  return {
    ...(recurs_until !== null && recurs_until >= identity.starts_at && { recurs_until }),
    ...(time_zone !== null && { time_zone }),
  };
}

/** The names of the changed fields, for the audit log. */
function fieldsChanged(event: ListedEvent, { identity, content, status }: UpsertAction): string {
  const moved = IDENTITY_FIELDS.filter((name) => (identity[name] || null) !== event[name]);
  const names = SENT_CONTENT_FIELDS.filter((name) => (content[name] ?? null) !== event[name]);
  return [...moved, ...names, ...(status === event.status ? [] : ['status'])].join(', ');
}
