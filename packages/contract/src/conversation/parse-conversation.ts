import { readJson } from '../event/parse-action.ts';
import { asRecord, type Parsed, pointersOf } from '../problem/parsed.ts';
import { CONVERSATION_MAX } from './conversation.ts';
import {
  type ActionMessage,
  CONVERSATION_ACTION_KINDS,
  type ConversationAction,
  type ConversationActionKind,
  type ConversationFields,
} from './conversation-action.ts';
import { type ChannelRequest, channelRequestSchema } from './conversation-schema.ts';

export type ParsedConversation = Parsed<ConversationAction, ConversationActionKind>;

/** Reads an action from the text of a channel's body (see `decodeBody`). Never throws. */
export function parseConversationText(body: string | undefined): ParsedConversation {
  return readJson(body, readConversation);
}

/** Reads an action from a parsed JSON value. */
function readConversation(value: unknown): ParsedConversation {
  const read = channelRequestSchema.safeParse(value);
  if (read.success) return { outcome: 'valid', action: toAction(read.data) };
  return { outcome: 'validation_failed', errors: pointersOf(read.error), ...glance(value) };
}

function toAction({ action: kind, conversation, message, agent }: ChannelRequest): ConversationAction {
  return {
    kind,
    conversation: fieldsOf(conversation),
    ...(message !== undefined && { message: messageOf(message) }),
    ...(kind === 'accept_handoff' && agent?.name !== undefined && { agent_name: agent.name }),
  };
}

function fieldsOf(sent: ChannelRequest['conversation']): ConversationFields {
  const { external_id, subject, language, contact, session } = sent;
  return {
    external_id,
    ...(subject !== undefined && { subject }),
    ...(language !== undefined && { language }),
    ...(contact !== undefined && { contact: present(contact) }),
    ...(session !== undefined && { session }),
  };
}

function messageOf(sent: NonNullable<ChannelRequest['message']>): ActionMessage {
  const { external_id, author, author_name, text, sent_at } = sent;
  return {
    external_id,
    author,
    ...(author_name !== undefined && { author_name }),
    text,
    ...(sent_at !== undefined && { sent_at }),
  };
}

function present<T extends object>(fields: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** Action and subject of a wrong request, so that an admin can recognise it in the log. */
function glance(value: unknown): { action: ConversationActionKind | null; title: string | null } {
  const { action, conversation } = asRecord(value);
  const { subject, external_id } = asRecord(conversation);
  const title = [subject, external_id].find((one) => typeof one === 'string' && one !== '');
  return {
    action: CONVERSATION_ACTION_KINDS.find((kind) => kind === action) ?? null,
    title: typeof title === 'string' ? title.slice(0, CONVERSATION_MAX.subject).toWellFormed() : null,
  };
}
