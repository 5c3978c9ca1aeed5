import { describeConversation, describeMessage } from '@sluice/conversations/describe-conversation';
import type { ConversationItem, MessageItem } from '@sluice/dashboard-api/conversations';
import type { Conversation, ConversationMessage } from '@sluice/store/conversations/conversation-document';

/** A row of the list of conversations. `names`: the name of each channel. */
export function describeItem(
  conversation: Conversation,
  names: ReadonlyMap<string, string>,
): ConversationItem {
  const { id, channel_id, external_id, subject, status, contact, last_message, created_at, updated_at } =
    describeConversation(conversation);
  return {
    conversation_id: id,
    channel_id,
    channel_name: names.get(channel_id) ?? channel_id,
    external_id,
    subject,
    status,
    contact,
    last_message: last_message && {
      author: last_message.author,
      author_name: last_message.author_name,
      text: last_message.text,
      sent_at: last_message.sent_at,
    },
    created_at,
    updated_at,
  };
}

/** A message of a thread. */
export function describeMessageItem(message: ConversationMessage): MessageItem {
  const { id, author, author_name, text, sent_at, delivery, delivery_reason } = describeMessage(message);
  return { message_id: id, author, author_name, text, sent_at, delivery, delivery_reason };
}
