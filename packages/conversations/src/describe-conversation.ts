import type { ConversationRecord, MessageRecord } from '@sluice/contract/conversation';
import { statusOf } from '@sluice/contract/conversation-state';
import { formatInstant } from '@sluice/contract/instant';
import type { StoredConversation } from '@sluice/store/conversation-document';
import type { ListedMessage } from '@sluice/store/conversation-messages';
import { msOf } from './fold-conversation.ts';

/** A conversation as the API returns it. */
export function describeConversation(stored: StoredConversation): ConversationRecord {
  const { state } = stored;
  const { contact, session, requested, accepted, preview, created } = state;
  const { name = null, email = null, phone = null } = contact?.value ?? {};
  // A request that is newer than the last acceptance waits for an agent.
  const isAccepted = accepted !== null && accepted.sequence > (requested ?? 0);
  return {
    id: stored.conversation_id,
    channel_id: stored.channel_id,
    external_id: stored.external_id,
    status: statusOf(state),
    subject: state.subject?.value ?? null,
    language: state.language?.value ?? null,
    contact: { name, email, phone },
    session: Object.fromEntries(session?.value ?? []),
    handoff: {
      requested_at: requested === null ? null : formatInstant(msOf(requested)),
      accepted_at: isAccepted ? formatInstant(msOf(accepted.sequence)) : null,
      agent: isAccepted ? accepted.value : null,
    },
    last_message: preview && {
      id: preview.message_id,
      author: preview.author,
      author_name: preview.author_name,
      text: preview.text,
      sent_at: formatInstant(preview.sent_at),
    },
    lead_id: stored.lead_id,
    created_at: formatInstant(msOf(created ?? 0)),
    updated_at: formatInstant(stored.updated_at),
  };
}

/** A message as the API returns it. */
export function describeMessage(message: ListedMessage): MessageRecord {
  const { message_id: id, conversation_id, external_id, author, author_name, text, delivery } = message;
  return {
    ...{ id, conversation_id, external_id, author, author_name: author_name ?? null, text },
    sent_at: formatInstant(message.sent_at),
    created_at: formatInstant(msOf(message.first)),
    delivery,
    delivery_reason: null,
  };
}
