import * as conversations from '@sluice/dashboard-api/conversations';
import { type CasesOf, INVALID, onOne, unknown } from './route-case.ts';

let replies = 0;

/** Cases of conversations. */
export const CONVERSATION_CASES: CasesOf<'conversations'> = {
  'conversations.list': {
    good: () => ({ query: { status: 'open' } }),
    answer: conversations.conversationPage,
    bad: { query: { status: 'asleep' }, code: INVALID },
    stranger: 'own',
  },
  'conversations.changes': {
    good: () => ({ query: { since: '2026-01-01T00:00:00Z' } }),
    answer: conversations.conversationChanges,
    bad: { query: { since: 'yesterday' }, code: INVALID },
    stranger: 'own',
  },
  'conversations.show': onOne('conversationParams', 'conversationId', conversations.conversationDetail),
  'conversations.messages': {
    good: async ({ conversationParams }) => ({ ...(await conversationParams()), query: { limit: '10' } }),
    answer: conversations.messagePage,
    bad: { query: { limit: '0' }, code: INVALID },
    stranger: 'not_found',
  },
  'conversations.accept': onOne('conversationParams', 'conversationId', conversations.conversationDetail),
  'conversations.reply': {
    good: async ({ takenOverParams }) => {
      replies += 1;
      return { ...(await takenOverParams()), body: { text: 'Hello', reply_id: `reply-of-test-${replies}` } };
    },
    answer: conversations.messageItem,
    bad: { body: { text: ' ', reply_id: 'reply-of-test' }, code: INVALID },
    stranger: 'not_found',
  },
  'conversations.end': {
    good: async ({ takenOverParams }) => takenOverParams(),
    answer: conversations.conversationDetail,
    bad: unknown('conversationId'),
    stranger: 'not_found',
  },
};
