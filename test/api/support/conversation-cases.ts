import * as conversations from '@sluice/dashboard-api/conversations';
import { type CasesOf, onOne } from './route-case.ts';

let replies = 0;

/** Cases of conversations. */
export const CONVERSATION_CASES: CasesOf<'conversations'> = {
  'conversations.list': {
    good: () => ({ query: { status: 'open' } }),
    answer: conversations.conversationPage,
    stranger: 'own',
  },
  'conversations.changes': {
    good: () => ({ query: { since: '2026-01-01T00:00:00Z' } }),
    answer: conversations.conversationChanges,
    stranger: 'own',
  },
  'conversations.show': onOne('conversationParams', conversations.conversationDetail),
  'conversations.messages': {
    good: async ({ conversationParams }) => ({ ...(await conversationParams()), query: { limit: '10' } }),
    answer: conversations.messagePage,
    stranger: 'not_found',
  },
  'conversations.accept': onOne('conversationParams', conversations.conversationDetail),
  'conversations.reply': {
    good: async ({ takenOverParams }) => {
      replies += 1;
      return { ...(await takenOverParams()), body: { text: 'Hello', reply_id: `reply-of-test-${replies}` } };
    },
    answer: conversations.messageItem,
    stranger: 'not_found',
  },
  'conversations.end': {
    good: async ({ takenOverParams }) => takenOverParams(),
    answer: conversations.conversationDetail,
    stranger: 'not_found',
  },
};
