import * as z from 'zod';
import type { Scope } from '../account/scopes.ts';
import { conversationRecord, messageRecord } from '../conversation/conversation.ts';
import { eventRecord } from '../event/event-record.ts';
import { leadRecord } from '../lead/lead.ts';
import { SAMPLE_AT, SAMPLE_RECORDS as samples } from './event-samples.ts';
import { sourceRefusing } from './source-refusing.ts';

/** The description of one kind of message, for integrators. */
interface Described<Kind extends string> {
  readonly kind: Kind;
  readonly name: string;
  readonly sentence: string;
  /** The scope that reads these records. Without it, samples are made up. null: `webhooks` is enough. */
  readonly readScope: Scope | null;
  /** The record in `data`. */
  readonly record: z.ZodObject;
  /** A made-up message. */
  readonly sample: Sample;
  /** false: a message of this kind is sent without a subscription that names it. */
  readonly subscribable: boolean;
}

interface Sample {
  readonly data: Readonly<Record<string, unknown>>;
  readonly previous?: Readonly<Record<string, unknown>>;
}

export const ACTOR_TYPES = ['api_key', 'member', 'source', 'system'] as const;

/** The data of a message of the kind `webhook.test`. */
export const webhookTest = z.object({
  id: z.string().meta({ description: 'Id of the subscription.' }),
  message: z.string(),
});
export type WebhookTestRecord = z.infer<typeof webhookTest>;

export const TEST_MESSAGE = 'This is a test. If you can read it, the subscription works.';

const previous = z
  .record(z.string(), z.unknown())
  .optional()
  .meta({ description: 'The changed fields before the change.' });

const REPLACEMENT = 'evt_00000000000000000000000000000002';
const became = z.string().optional().meta({
  description: 'Id of the event that replaces it, if an upsert with an external_id did.',
});

/** The records of messages that are not those of the API. */
export const changedEvent = eventRecord.extend({ previous });
export const deletedEvent = changedEvent.extend({ became });
export const changedLead = leadRecord.extend({ previous });
export const erasedLead = z.object({ id: z.string() });
export const messageOfConversation = messageRecord.extend({ conversation: conversationRecord });

export const messageActor = z
  .object({ type: z.enum(ACTOR_TYPES), id: z.string() })
  .meta({ description: 'The author of the change, so that a flow can ignore its own writes.' });

function about(record: z.ZodObject, readScope: Scope | null) {
  return <const Kind extends string>(
    kind: Kind,
    name: string,
    sentence: string,
    sample: Sample,
    { subscribable = true } = {},
  ): Described<Kind> => ({ kind, name, sentence, readScope, record, sample, subscribable });
}

const event = about(changedEvent, null);
const lead = about(changedLead, 'read:leads');
const conversation = about(conversationRecord, 'read:conversations');
const message = about(messageOfConversation, 'read:conversations');

/** Every kind of message, in the order of the documentation. */
export const EVENT_KINDS = [
  about(eventRecord, null)('event.created', 'Event created', 'A source or an import created an event.', {
    data: { ...samples.event, created_at: SAMPLE_AT },
  }),
  event('event.updated', 'Event updated', 'The content of an event changed.', {
    data: samples.event,
    previous: { location: 'Library' },
  }),
  event('event.cancelled', 'Event cancelled', 'An event was cancelled.', {
    data: { ...samples.event, status: 'cancelled' },
    previous: { status: 'upcoming' },
  }),
  about(deletedEvent, null)('event.deleted', 'Event deleted', 'An event was deleted.', {
    data: { ...samples.event, status: null, origin: null, deleted_at: SAMPLE_AT, became: REPLACEMENT },
    previous: { status: 'upcoming', origin: 'webhook', deleted_at: null },
  }),
  about(leadRecord, 'read:leads')(
    'lead.created',
    'Lead created',
    'A lead was created by API, dashboard, import or conversation.',
    { data: { ...samples.lead, stage: 'stg_new', created_at: SAMPLE_AT } },
  ),
  lead('lead.updated', 'Lead updated', 'A field of a lead changed, apart from its stage.', {
    data: samples.lead,
    previous: { company: null, fields: { budget: null } },
  }),
  lead('lead.stage_changed', 'Lead moved', 'A lead moved to another pipeline stage.', {
    data: samples.lead,
    previous: { stage: 'stg_new' },
  }),
  about(erasedLead, 'read:leads')(
    'lead.erased',
    'Lead erased',
    'A lead was erased permanently. Erase your copy too. Only the id is left.',
    { data: { id: samples.lead.id } },
  ),
  conversation('conversation.opened', 'Conversation opened', 'A conversation was opened or reopened.', {
    data: { ...samples.conversation, last_message: null, created_at: SAMPLE_AT },
  }),
  message(
    'conversation.message_received',
    'Message received',
    'A visitor or the bot of a channel wrote a message. Each message is sent once.',
    { data: { ...samples.message, conversation: samples.conversation } },
  ),
  conversation('conversation.handoff_requested', 'Handoff requested', 'A visitor asked for a person.', {
    data: samples.requested,
  }),
  conversation(
    'conversation.handoff_accepted',
    'Handoff accepted',
    'A person or an integration accepted a handoff, or another one took it over.',
    { data: samples.accepted },
  ),
  conversation('conversation.handoff_ended', 'Handoff ended', 'A person ended a handoff session.', {
    data: samples.conversation,
  }),
  conversation('conversation.closed', 'Conversation closed', 'A conversation was closed.', {
    data: { ...samples.conversation, status: 'closed' },
  }),
  message(
    'conversation.reply',
    'Reply',
    'A person or an integration replied. It is sent to the reply URL of the channel only.',
    { data: { ...samples.reply, conversation: samples.conversation } },
    { subscribable: false },
  ),
  about(sourceRefusing, null)(
    'source.refusing',
    'Source rejects requests',
    'A source rejected 20 requests within 5 minutes. Sent at most once an hour for each source.',
    {
      data: {
        id: 'src_sample',
        source_id: 'src_sample',
        name: 'School calendar',
        refusals: 20,
        codes: [{ code: 'signature_invalid', count: 20 }],
        since: '2026-12-01T16:56:00.000Z',
        at: SAMPLE_AT,
      },
    },
  ),
  about(webhookTest, null)(
    'webhook.test',
    'Test',
    'A client or an admin tested the subscription.',
    { data: { id: 'sub_sample', message: TEST_MESSAGE } },
    { subscribable: false },
  ),
] as const satisfies readonly Described<string>[];

export type ChangeKind = (typeof EVENT_KINDS)[number]['kind'];
export type EventKind = Described<ChangeKind>;
type KindOf<Family extends string> = Extract<ChangeKind, `${Family}.${string}`>;
export type EventChangeKind = KindOf<'event'>;
export type LeadChangeKind = KindOf<'lead'>;
export type ConversationChangeKind = KindOf<'conversation'>;

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
