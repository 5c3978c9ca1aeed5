import type {
  ConversationRecord,
  ListedMessageRecord,
  MessageRecord,
} from '@sluice/contract/conversation/conversation';
import { formatInstant, instantOrNull } from '@sluice/contract/time/instant';
import type {
  Conversation,
  ConversationMessage,
  ListedMessage,
} from '@sluice/store/conversations/conversation-document';

/** A conversation as the API returns it. */
export function describeConversation(conversation: Conversation): ConversationRecord {
  const { contact, session, requested, accepted, last_message: last } = conversation;
  return {
    id: conversation.conversation_id,
    channel_id: conversation.channel_id,
    external_id: conversation.external_id,
    status: conversation.status,
    subject: conversation.subject?.value ?? null,
    language: conversation.language?.value ?? null,
    contact: {
      name: contact?.value.name ?? null,
      email: contact?.value.email ?? null,
      phone: contact?.value.phone ?? null,
    },
    session: Object.fromEntries(session?.value ?? []),
    handoff: {
      requested_at: instantOrNull(requested?.at),
      accepted_at: instantOrNull(accepted?.at),
      agent: accepted?.agent ?? null,
    },
    last_message:
      last === undefined
        ? null
        : {
            id: last.message_id,
            author: last.author,
            author_name: last.author_name,
            text: last.text,
            sent_at: formatInstant(last.sent_at),
          },
    lead_id: conversation.lead_id,
    created_at: formatInstant(conversation.created_at),
    updated_at: formatInstant(conversation.updated_at),
  };
}

/** A message as the API returns it. */
export function describeMessage(message: ConversationMessage): MessageRecord {
  return {
    id: message.message_id,
    conversation_id: message.conversation_id,
    external_id: message.external_id,
    author: message.author,
    author_name: message.author_name,
    text: message.text,
    sent_at: formatInstant(message.sent_at),
    created_at: formatInstant(Math.floor(message.first_sequence / 1000)),
    delivery: message.delivery,
    delivery_reason: message.delivery_reason,
  };
}

/** A message as lists return it. */
export function describeListedMessage(message: ListedMessage): ListedMessageRecord {
  return { ...describeMessage(message), updated_at: formatInstant(message.updated_at) };
}
