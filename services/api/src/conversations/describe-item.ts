import { formatInstant } from '@sluice/contract/time/instant';
import { describeConversation, describeMessage } from '@sluice/conversations/describe-conversation';
import type { ConversationDetail, ConversationItem, MessageItem } from '@sluice/dashboard-api/conversations';
import type { Conversation, ConversationMessage } from '@sluice/store/conversations/conversation-document';

/** A row of the list of conversations. `names`: the name of each channel. */
export function describeItem(
  conversation: Conversation,
  names: ReadonlyMap<string, string>,
): ConversationItem & Pick<ConversationDetail, 'handoff'> {
  const described = describeConversation(conversation);
  const { erased_sequence } = conversation;
  const { id, channel_id, external_id, subject, status, contact, last_message } = described;
  const { requested_at, accepted_at, agent } = described.handoff;
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
    handoff: {
      requested_at,
      accepted_at,
      agent: agent && (agent.name || AGENTS[agent.type]),
      agent_user_id: agent?.type === 'member' ? agent.id : null,
    },
    erased_at: erased_sequence === undefined ? null : formatInstant(Math.floor(erased_sequence / 1000)),
    created_at: described.created_at,
    updated_at: described.updated_at,
  };
}

/** Agents without a name. */
const AGENTS = {
  source: 'an agent of the channel',
  api_key: 'an integration',
  member: 'a member',
  system: 'an admin on the server',
} as const;

/** A message of a thread. */
export function describeMessageItem(message: ConversationMessage): MessageItem {
  const { id, author, author_name, text, sent_at, delivery, delivery_reason } = describeMessage(message);
  return { message_id: id, author, author_name, text, sent_at, delivery, delivery_reason };
}
