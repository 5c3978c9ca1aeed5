import { fromStoredChanges } from '../pending/pending-list.ts';
import type { Conversation, ConversationDocument } from './conversation-document.ts';

/** The fields of a conversation's document, without its id, the time of the write and the changes that are not published yet. */
export function conversationFields(
  conversation: Conversation,
): Omit<ConversationDocument, '_id' | 'updated_at' | 'untold' | 'untold_at' | 'unlinked_keys'> {
  const {
    conversation_id: _,
    session,
    lead_id,
    link_due_at,
    created_at,
    updated_at: __,
    untold: ___,
    ...rest
  } = conversation;
  return {
    schema_version: 1,
    ...rest,
    ...(session !== undefined && {
      session: { sequence: session.sequence, value: session.value.map(([k, v]) => ({ k, v })) },
    }),
    ...(lead_id !== null && { lead_id }),
    ...(link_due_at !== undefined && { link_due_at: new Date(link_due_at) }),
    created_at: new Date(created_at),
  };
}

export function fromConversationDocument(document: ConversationDocument): Conversation {
  const {
    _id,
    schema_version: _,
    untold_at: __,
    unlinked_keys: ___,
    session,
    lead_id,
    link_due_at,
    untold,
    ...rest
  } = document;
  return {
    ...rest,
    conversation_id: _id,
    ...(session !== undefined && {
      session: { sequence: session.sequence, value: session.value.map(({ k, v }) => [k, v] as const) },
    }),
    lead_id: lead_id ?? null,
    ...(link_due_at !== undefined && { link_due_at: link_due_at.getTime() }),
    created_at: rest.created_at.getTime(),
    updated_at: rest.updated_at.getTime(),
    untold: fromStoredChanges(untold ?? []),
  };
}
