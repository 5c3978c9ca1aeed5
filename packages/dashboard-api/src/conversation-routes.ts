import type {
  ChangesQuery,
  ConversationChanges,
  ConversationDetail,
  ConversationPage,
  ConversationQuery,
  MessageItem,
  MessagePage,
  MessageQuery,
  NewReply,
} from './conversations.ts';
import { route } from './route.ts';

/**
 * The account's conversations. `accept`, `reply` and `end` respond with 409 `conflict` if the state of the conversation
 * does not allow them.
 */
export const CONVERSATION_ROUTES = {
  list: route<{ query: ConversationQuery; response: ConversationPage }>('GET', '/conversations', 'viewer'),
  /** For live pages, which call it every second or so. */
  changes: route<{ query: ChangesQuery; response: ConversationChanges }>(
    'GET',
    '/conversations/changes',
    'viewer',
  ),
  show: route<{ params: 'conversationId'; response: ConversationDetail }>(
    'GET',
    '/conversations/:conversationId',
    'viewer',
  ),
  messages: route<{ params: 'conversationId'; query: MessageQuery; response: MessagePage }>(
    'GET',
    '/conversations/:conversationId/messages',
    'viewer',
  ),
  /** Takes the conversation over. A second agent who takes it over replaces the first. */
  accept: route<{ params: 'conversationId'; response: ConversationDetail }>(
    'POST',
    '/conversations/:conversationId/accept',
    'admin',
  ),
  reply: route<{ params: 'conversationId'; body: NewReply; response: MessageItem }>(
    'POST',
    '/conversations/:conversationId/messages',
    'admin',
    201,
  ),
  /** Gives the conversation back to the channel. */
  end: route<{ params: 'conversationId'; response: ConversationDetail }>(
    'POST',
    '/conversations/:conversationId/end',
    'admin',
  ),
} as const;
