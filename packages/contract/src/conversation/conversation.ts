import * as z from 'zod';

/** The states of a conversation. */
export const CONVERSATION_STATUSES = ['open', 'handoff_requested', 'handoff_active', 'closed'] as const;
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];

/** The authors of a message: the visitor, the channel's bot, or a person who answers. */
export const MESSAGE_AUTHORS = ['visitor', 'bot', 'agent'] as const;
export type MessageAuthor = (typeof MESSAGE_AUTHORS)[number];

/** The states of a reply on its way to the channel. */
export const REPLY_DELIVERIES = ['pending', 'delivered', 'failed'] as const;
export type ReplyDelivery = (typeof REPLY_DELIVERIES)[number];

/** Limits of conversations and messages. Texts are counted in Unicode code points. */
export const CONVERSATION_MAX = {
  external_id: 200,
  subject: 500,
  language: 35,
  name: 200,
  email: 254,
  phone: 50,
  text: 10_000,
  session_values: 50,
  session_key: 100,
  session_text: 1_000,
} as const;

/** The person at the other end. Fields that the channel did not send are absent. */
export interface ConversationContact {
  readonly name?: string;
  readonly email?: string;
  readonly phone?: string;
}

export type SessionValue = string | number | boolean | null;

/** The channel's own data about a conversation, as a list: a key may have any character. */
export type ConversationSession = readonly (readonly [key: string, value: SessionValue])[];

/** The person or program that accepted a handoff. */
export interface ConversationAgent {
  /** `system`: an admin on the command line. */
  readonly type: 'source' | 'api_key' | 'member' | 'system';
  readonly id: string;
  readonly name: string | null;
}

const instantText = z.iso.datetime().meta({ description: 'UTC, in milliseconds.' });

/** A message as the API returns it. */
export const messageRecord = z
  .object({
    id: z.string().meta({ description: '`cmsg_…`, derived from the conversation and `external_id`.' }),
    conversation_id: z.string(),
    external_id: z.string().meta({ description: "The channel's id of the message." }),
    author: z.enum(MESSAGE_AUTHORS),
    author_name: z.string().nullable(),
    text: z.string(),
    sent_at: instantText,
    created_at: instantText,
    delivery: z.enum(REPLY_DELIVERIES).nullable().meta({
      description: 'For a reply: whether the channel has received it. Null for all other messages.',
    }),
    delivery_reason: z.string().nullable().meta({ description: 'Why the delivery failed.' }),
  })
  .meta({ title: 'Message' });
export type MessageRecord = z.output<typeof messageRecord>;

const updatedAt = instantText.meta({
  description: 'When the message was last changed, or its delivery.',
});

/** A message in a list. */
export const listedMessage = messageRecord.extend({ updated_at: updatedAt }).meta({ title: 'ListedMessage' });
export type ListedMessageRecord = z.output<typeof listedMessage>;

/** A key that may not read conversations sees these fields of its reply. They contain nothing that another client wrote. */
export const WRITTEN_MESSAGE = ['id', 'conversation_id', 'sent_at', 'created_at', 'delivery'] as const;

const always = messageRecord.shape;

/** The response to a reply. A key without `read:conversations` gets WRITTEN_MESSAGE and the fields that it sent. */
export const writtenMessage = messageRecord
  .partial()
  .extend({
    id: always.id,
    conversation_id: always.conversation_id,
    sent_at: always.sent_at,
    created_at: always.created_at,
    delivery: always.delivery,
  })
  .meta({ title: 'WrittenMessage' });

const contactRecord = z.object({
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
});

const handoffRecord = z.object({
  requested_at: instantText.nullable(),
  accepted_at: instantText.nullable(),
  agent: z
    .object({
      type: z.enum(['source', 'api_key', 'member', 'system']),
      id: z.string(),
      name: z.string().nullable(),
    })
    .nullable()
    .meta({
      description:
        'Who accepted the handoff: a member, an API key, the channel (`source`), or an admin on the command line (`system`).',
    }),
});

/** A conversation as the API returns it. */
export const conversationRecord = z
  .object({
    id: z.string().meta({ description: '`conv_…`, derived from the channel and `external_id`.' }),
    channel_id: z.string(),
    external_id: z.string().meta({ description: "The channel's id of the conversation." }),
    status: z.enum(CONVERSATION_STATUSES),
    subject: z.string().nullable(),
    language: z.string().nullable(),
    contact: contactRecord,
    session: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    handoff: handoffRecord,
    last_message: messageRecord
      .pick({ id: true, author: true, author_name: true, text: true, sent_at: true })
      .nullable()
      .meta({ description: 'The newest message, with the first 200 characters of its text.' }),
    lead_id: z.string().nullable(),
    created_at: instantText,
    updated_at: instantText,
  })
  .meta({ title: 'Conversation' });
export type ConversationRecord = z.output<typeof conversationRecord>;

/** Characters of the newest message's text that a conversation shows. */
export const PREVIEW_LENGTH = 200;

/** A key that may not read conversations sees these fields of one that it changes. No other client wrote them. */
export const WRITTEN_CONVERSATION = ['id', 'status', 'created_at', 'updated_at'] as const;

const whole = conversationRecord.shape;

/** The response to a change of a handoff. A key without `read:conversations` gets WRITTEN_CONVERSATION. */
export const writtenConversation = conversationRecord
  .partial()
  .extend({
    id: whole.id,
    status: whole.status,
    created_at: whole.created_at,
    updated_at: whole.updated_at,
  })
  .meta({ title: 'WrittenConversation' });

/** The filters of a list of conversations. */
export const conversationFilters = {
  status: z.enum(CONVERSATION_STATUSES).optional(),
  channel: z.string().max(64).optional().meta({ description: 'Id of a channel.' }),
  lead_id: z.string().max(64).optional(),
  external_id: z
    .string()
    .max(CONVERSATION_MAX.external_id)
    .optional()
    .meta({ description: "The channel's id of the conversation." }),
} as const;
export const conversationQuery = z.object(conversationFilters);

const reply = (max: number) =>
  z
    .string()
    .trim()
    .refine((value) => value.isWellFormed(), 'Contains half of a surrogate pair. Send well-formed Unicode.')
    .refine((value) => [...value].length <= max, `Longer than ${max} characters. Shorten it.`)
    .meta({ maxLength: max });

/** The body of a reply by API or dashboard. */
export const messageInput = z
  .strictObject({
    text: reply(CONVERSATION_MAX.text).refine((value) => value !== '', 'Empty. Send the text of the reply.'),
    author_name: reply(CONVERSATION_MAX.name).nullable().optional().meta({
      description: 'The name that the visitor sees. Empty or null: none.',
    }),
  })
  .meta({ title: 'Reply' });
export type MessageInput = z.output<typeof messageInput>;

/** The body of a change of a handoff by API. */
export const handoffInput = z
  .strictObject({
    action: z.enum(['accept', 'end']).meta({
      description: '`accept` while the status is `handoff_requested`, `end` while it is `handoff_active`.',
    }),
    agent_name: reply(CONVERSATION_MAX.name).nullable().optional().meta({
      description: 'The name of the agent who accepts. Empty or null: the name of the API key.',
    }),
  })
  .meta({ title: 'HandoffChange' });
export type HandoffInput = z.output<typeof handoffInput>;
