import { MESSAGE_AUTHORS, REPLY_DELIVERIES } from '@sluice/contract/conversation/conversation';
import * as z from 'zod';
import { instantInput, instantText, pageOf, pageQuery } from './common.ts';
import { CONVERSATION_ORDER } from './conversation-order.ts';
import { REPLY_MAX } from './limits.ts';

const author = z.enum(MESSAGE_AUTHORS);

/** The person who writes to the account, as far as the channel knows them. */
export const contact = z.object({
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
});

const handoff = z.object({
  requested_at: instantText.nullable(),
  accepted_at: instantText.nullable(),
  /** The agent who took it over, in words. */
  agent: z.string().nullable(),
  /** The member who is the agent. null: it is no member. */
  agent_user_id: z.string().nullable(),
});

export const conversationItem = z.object({
  conversation_id: z.string(),
  channel_id: z.string(),
  channel_name: z.string(),
  /** The id that the channel gave it. */
  external_id: z.string(),
  subject: z.string().nullable(),
  status: z.enum(CONVERSATION_ORDER),
  contact,
  /** The latest message, shortened; null: no message yet. */
  last_message: z
    .object({ author, author_name: z.string().nullable(), text: z.string(), sent_at: instantText })
    .nullable(),
  handoff,
  /** When its lead was erased, with contact, subject and messages until then; null: it was not. */
  erased_at: instantText.nullable(),
  created_at: instantText,
  updated_at: instantText,
});
export type ConversationItem = z.infer<typeof conversationItem>;

export const conversationPage = pageOf(conversationItem);
export type ConversationPage = z.infer<typeof conversationPage>;

const filterShape = {
  status: z.enum(CONVERSATION_ORDER).optional(),
  channel_id: z.string().max(100).optional(),
  lead_id: z.string().max(100).optional(),
};

/** By status in the order above; within it who has waited for an agent longest first, then the latest change first. */
export const conversationQuery = z.object({ ...filterShape, ...pageQuery.shape });
export type ConversationQuery = z.input<typeof conversationQuery>;

/** Asks for conversations that changed at or after `since`. Without it, the response has only `until`. */
export const changesQuery = z.object({ since: instantInput.optional() });
export type ChangesQuery = z.input<typeof changesQuery>;

/** `until` is the next `since`. It is some seconds ago, so changes appear more than once and none is missed. */
export const conversationChanges = z.object({
  items: z.array(conversationItem),
  /** More has changed than the response contains. Reload the list. */
  more: z.boolean(),
  until: instantText,
});
export type ConversationChanges = z.infer<typeof conversationChanges>;

export const conversationDetail = conversationItem.extend({
  handoff,
  language: z.string().nullable(),
  /** Values that the channel sent along, such as the page that the visitor reads. */
  session: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** The channel has a reply URL, so replies can be delivered. */
  has_reply_url: z.boolean(),
  /** The channel was deleted, so the conversation can only be read. */
  channel_deleted: z.boolean(),
  lead: z.object({ lead_id: z.string(), name: z.string() }).nullable(),
});
export type ConversationDetail = z.infer<typeof conversationDetail>;

export const messageItem = z.object({
  message_id: z.string(),
  author,
  author_name: z.string().nullable(),
  text: z.string(),
  sent_at: instantText,
  /** null: the channel sent the message, so there is nothing to deliver. */
  delivery: z.enum(REPLY_DELIVERIES).nullable(),
  /** Why the delivery failed. */
  delivery_reason: z.string().nullable(),
});
export type MessageItem = z.infer<typeof messageItem>;

/** The newest messages, or those before `cursor`. In each page the oldest comes first. */
export const messageQuery = pageQuery;
export type MessageQuery = z.input<typeof messageQuery>;

/** `next_cursor` leads to older messages. */
export const messagePage = pageOf(messageItem);
export type MessagePage = z.infer<typeof messagePage>;

const TOO_LONG = `Longer than ${REPLY_MAX.toLocaleString('en')} characters. Send it in parts.`;

/** `reply_id` is made up by the client. A repeat with the same one has no further effect. */
export const newReply = z.object({
  text: z
    .string()
    .trim()
    .min(1, 'Empty. Write a reply.')
    .refine((text) => text.isWellFormed(), 'Contains half of a surrogate pair, which is not a character.')
    .refine((text) => [...text].length <= REPLY_MAX, TOO_LONG),
  reply_id: z.string().regex(/^[A-Za-z0-9_-]{8,64}$/, 'Send 8 to 64 letters, digits, _ or -.'),
});
export type NewReply = z.input<typeof newReply>;
