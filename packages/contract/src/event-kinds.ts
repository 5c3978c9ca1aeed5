import * as z from 'zod';
import { ACTOR_TYPES, type ChangeKind } from './change.ts';
import { conversationRecord, messageRecord } from './conversation.ts';
import { eventRecord } from './event-record.ts';
import { leadRecord } from './lead.ts';
import type { Scope } from './scopes.ts';
import { sourceRefusing } from './source-refusing.ts';
import { webhookTest } from './webhook-test.ts';

/** The description of one kind of message, for integrators. */
export interface EventKind {
  readonly kind: ChangeKind;
  readonly name: string;
  readonly sentence: string;
  /** The scope that reads these records. Without it, samples are made up. null: `webhooks` is enough. */
  readonly readScope: Scope | null;
  /** The record in `data`. */
  readonly record: z.ZodObject;
  /** false: a message of this kind is sent without a subscription that names it. */
  readonly subscribable: boolean;
}

const previous = z
  .record(z.string(), z.unknown())
  .optional()
  .meta({ description: 'The changed fields before the change.' });

/** The records of messages that are not those of the API. */
export const changedEvent = eventRecord.extend({ previous });
export const changedLead = leadRecord.extend({ previous });
export const erasedLead = z.object({ id: z.string() });
export const messageOfConversation = messageRecord.extend({ conversation: conversationRecord });

export const messageActor = z
  .object({ type: z.enum(ACTOR_TYPES), id: z.string() })
  .meta({ description: 'The author of the change, so that a flow can ignore its own writes.' });

type Extra = Partial<Pick<EventKind, 'subscribable'>>;

function about(record: z.ZodObject, readScope: Scope | null) {
  return (kind: ChangeKind, name: string, sentence: string, extra: Extra = {}): EventKind => ({
    ...{ kind, name, sentence, readScope, record, subscribable: true },
    ...extra,
  });
}

const event = about(changedEvent, null);
const lead = about(changedLead, 'read:leads');
const conversation = about(conversationRecord, 'read:conversations');
const message = about(messageOfConversation, 'read:conversations');

/** Every kind of message, in the order of the documentation. */
export const EVENT_KINDS: readonly EventKind[] = [
  about(eventRecord, null)('event.created', 'Event created', 'A source or an import created an event.'),
  event('event.updated', 'Event updated', 'The content of an event changed.'),
  event('event.cancelled', 'Event cancelled', 'An event was cancelled.'),
  event('event.deleted', 'Event deleted', 'An event was deleted.'),
  about(leadRecord, 'read:leads')(
    'lead.created',
    'Lead created',
    'A lead was created by API, dashboard, import or conversation.',
  ),
  lead('lead.updated', 'Lead updated', 'A field of a lead changed, apart from its stage.'),
  lead('lead.stage_changed', 'Lead moved', 'A lead moved to another pipeline stage.'),
  about(erasedLead, 'read:leads')(
    'lead.erased',
    'Lead erased',
    'A lead was erased permanently. Erase your copy too. Only the id is left.',
  ),
  conversation('conversation.opened', 'Conversation opened', 'A conversation was opened or reopened.'),
  message(
    'conversation.message_received',
    'Message received',
    'A visitor or the bot of a channel wrote a message. Each message is sent once.',
  ),
  conversation('conversation.handoff_requested', 'Handoff requested', 'A visitor asked for a person.'),
  conversation(
    'conversation.handoff_accepted',
    'Handoff accepted',
    'A person or an integration accepted a handoff, or another one took it over.',
  ),
  conversation('conversation.handoff_ended', 'Handoff ended', 'A person ended a handoff session.'),
  conversation('conversation.closed', 'Conversation closed', 'A conversation was closed.'),
  message(
    'conversation.reply',
    'Reply',
    'A person or an integration replied. It is sent to the reply URL of the channel only.',
    { subscribable: false },
  ),
  about(sourceRefusing, null)(
    'source.refusing',
    'Source rejects requests',
    'A source rejected 20 requests within 5 minutes. Sent at most once an hour for each source.',
  ),
  about(webhookTest, null)('webhook.test', 'Test', 'A client or an admin tested the subscription.', {
    subscribable: false,
  }),
];

/** The kinds that a subscription can name. `*` stands for all of them, and for those that later versions add. */
export const SUBSCRIBABLE_KINDS: readonly ChangeKind[] = EVENT_KINDS.filter(
  ({ subscribable }) => subscribable,
).map(({ kind }) => kind);

export function findEventKind(kind: string): EventKind | undefined {
  return EVENT_KINDS.find((one) => one.kind === kind);
}

/** The body of a message of this kind. Every key is present each time; only `previous` is absent for a new record. */
export function messageSchema({ kind, record }: EventKind) {
  return z.object({
    id: z.string().meta({ description: '`msg_…`, the same at each attempt: dedupe by it.' }),
    type: z.literal(kind),
    timestamp: z.string().meta({ format: 'date-time', description: 'When the change happened. UTC.' }),
    account_id: z.string(),
    sequence: z.number().int().meta({ description: 'Grows with every change of one record.' }),
    actor: messageActor,
    data: record,
  });
}
