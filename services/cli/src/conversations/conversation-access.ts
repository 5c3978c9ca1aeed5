import { describeConversation } from '@sluice/conversations/describe-conversation';
import type { Store } from '@sluice/store/connect';
import type { Conversation } from '@sluice/store/conversations/conversation-document';
import { type CommandFailure, failed } from '../exit-codes.ts';
import type { Row } from '../output.ts';

/** Finds a conversation of any account. Throws the error for an unknown one. */
export async function findConversation(
  { recordAccount, conversations }: Pick<Store, 'recordAccount' | 'conversations'>,
  conversationId: string,
): Promise<Conversation> {
  const accountId = await recordAccount.findAccountOf('conversations', conversationId);
  const found =
    accountId === undefined ? undefined : await conversations.findConversation(accountId, conversationId);
  if (found === undefined) throw noSuchConversation(conversationId);
  return found;
}

export function noSuchConversation(conversationId: string): CommandFailure {
  return failed(`There is no conversation ${conversationId}. See: sluice conversation list`);
}

/** The row of a conversation, as the API returns it. */
export function conversationRow(conversation: Conversation): Row {
  return describeConversation(conversation);
}
