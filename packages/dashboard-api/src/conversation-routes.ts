import type * as C from './conversations.ts';
import { route } from './route.ts';

/**
 * The account's conversations. `accept`, `reply` and `end` respond with 409 `conflict` if the state of the conversation
 * does not allow them.
 */
export const CONVERSATION_ROUTES = {
  list: route<{ query: C.ConversationQuery; response: C.ConversationPage }>(
    'GET',
    '/conversations',
    'viewer',
  ),
  /** For live pages, which call it every second or so. */
  changes: route<{ query: C.ChangesQuery; response: C.ConversationChanges }>(
    'GET',
    '/conversations/changes',
    'viewer',
  ),
  show: route<{ params: 'conversationId'; response: C.ConversationDetail }>(
    'GET',
    '/conversations/:conversationId',
    'viewer',
  ),
  messages: route<{ params: 'conversationId'; query: C.MessageQuery; response: C.MessagePage }>(
    'GET',
    '/conversations/:conversationId/messages',
    'viewer',
  ),
  /** Takes the conversation over. A second agent who takes it over replaces the first. */
  accept: route<{ params: 'conversationId'; response: C.ConversationDetail }>(
    'POST',
    '/conversations/:conversationId/accept',
    'admin',
  ),
  reply: route<{ params: 'conversationId'; body: C.NewReply; response: C.MessageItem }>(
    'POST',
    '/conversations/:conversationId/messages',
    'admin',
    201,
  ),
  /** Gives the conversation back to the channel. */
  end: route<{ params: 'conversationId'; response: C.ConversationDetail }>(
    'POST',
    '/conversations/:conversationId/end',
    'admin',
  ),
} as const;
