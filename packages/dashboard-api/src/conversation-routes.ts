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
import { get, io, post } from './route.ts';

/**
 * The account's conversations. `accept`, `reply` and `end` respond with 409 `conflict` if the state of the conversation
 * does not allow them.
 */
export const CONVERSATION_ROUTES = {
  list: get('/conversations', 'viewer', io<{ query: ConversationQuery; response: ConversationPage }>()),
  /** For live pages, which call it every second or so. */
  changes: get(
    '/conversations/changes',
    'viewer',
    io<{ query: ChangesQuery; response: ConversationChanges }>(),
  ),
  show: get('/conversations/:conversationId', 'viewer', io<{ response: ConversationDetail }>()),
  messages: get(
    '/conversations/:conversationId/messages',
    'viewer',
    io<{ query: MessageQuery; response: MessagePage }>(),
  ),
  /** Takes the conversation over. A second agent who takes it over replaces the first. */
  accept: post('/conversations/:conversationId/accept', 'admin', io<{ response: ConversationDetail }>()),
  reply: post(
    '/conversations/:conversationId/messages',
    'admin',
    io<{ body: NewReply; response: MessageItem }>(),
    201,
  ),
  /** Gives the conversation back to the channel. */
  end: post('/conversations/:conversationId/end', 'admin', io<{ response: ConversationDetail }>()),
} as const;
