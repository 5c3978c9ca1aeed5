import { fromStoredChanges } from '../pending/pending-list.ts';
import { withDates } from '../writing/stored-record.ts';
import { CONVERSATION, type Conversation, type ConversationDocument } from './conversation-document.ts';

/** The fields of a conversation's document, without its id, the time of the write and the changes that are not published yet. */
export function conversationFields(
  conversation: Conversation,
): Omit<ConversationDocument, '_id' | 'updated_at' | 'untold' | 'untold_at' | 'unlinked_keys'> {
  const { conversation_id: _, session, lead_id, updated_at: __, untold: ___, ...rest } = conversation;
  return {
    schema_version: 1,
    ...withDates(rest, ['link_due_at', 'created_at']),
    ...(session && { session: { ...session, value: session.value.map(([k, v]) => ({ k, v })) } }),
    ...(lead_id !== null && { lead_id }),
  };
}

export function fromConversationDocument({
  untold_at: _,
  unlinked_keys: __,
  session,
  lead_id,
  untold = [],
  ...document
}: ConversationDocument): Conversation {
  return CONVERSATION.fromDocument({
    ...document,
    ...(session && { session: { ...session, value: session.value.map(({ k, v }) => [k, v] as const) } }),
    lead_id: lead_id ?? null,
    untold: fromStoredChanges(untold),
  });
}
