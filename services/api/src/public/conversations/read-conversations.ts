import { listParameters } from '@sluice/contract/api/public-list';
import { conversationFilters, conversationRecord } from '@sluice/contract/conversation/conversation';
import { describeConversation } from '@sluice/conversations/describe-conversation';
import type { Conversation } from '@sluice/store/conversations/conversation-document';
import { isChannel } from '@sluice/store/sources/is-channel';
import * as z from 'zod';
import { refuse } from '../../http/result.ts';
import { listOrder } from '../../leads/list-order.ts';
import type { RouteDeps } from '../../parts.ts';
import { type PublicCall, publicRoute } from '../layer/declare-route.ts';
import type { Place } from '../layer/list-route.ts';
import { listRoute } from '../layer/list-route.ts';

const query = z.strictObject({ ...listParameters, ...conversationFilters });
type Query = z.output<typeof query>;

export const NO_CONVERSATION = refuse('not_found', 'This account has no conversation with this id.');

const NO_CHANNEL =
  'This account has no channel with this id. Copy it from Settings > Channels, or from channel_id of a conversation.';
const UNKNOWN_CHANNEL = refuse('validation_failed', NO_CHANNEL, {
  errors: [{ pointer: '/channel', detail: NO_CHANNEL }],
});

/** Whether the account has or had the channel: the conversations of a deleted one can be kept. */
async function hasChannel({ sources }: RouteDeps, accountId: string, id: string) {
  const source = await sources.findSource(id);
  return source?.account_id === accountId && isChannel(source);
}

/** The account's conversations. */
export const listConversations = listRoute({
  path: '/api/public/conversations',
  operationId: 'listConversations',
  tag: 'Conversations',
  summary: 'List conversations',
  description: 'Newest first. All filters must match. A channel finds its own conversation by `external_id`.',
  scopes: ['read:conversations'],
  query,
  item: conversationRecord,
  byChange: true,
  problems: [],
  async read(call: PublicCall<Query>, after: Place | undefined, deps: RouteDeps) {
    const { sort, limit, channel, updated_since, cursor: _, ...equal } = call.query;
    if (channel !== undefined && !(await hasChannel(deps, call.accountId, channel))) return UNKNOWN_CHANNEL;
    const filter = {
      account_id: call.accountId,
      ...defined(equal),
      ...(channel !== undefined && { channel_id: channel }),
      ...(updated_since !== undefined && { updated_since }),
    };
    const page = await deps.conversations.pageConversations(filter, {
      sort,
      limit,
      ...(after !== undefined && { after: { at: after[0] as number, conversation_id: after[1] as string } }),
    });
    const { by } = listOrder(sort);
    return {
      more: page.more,
      items: page.items.map((one: Conversation) => ({
        record: describeConversation(one),
        place: [one[by], one.conversation_id],
      })),
    };
  },
});

function defined<T extends object>(values: T) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
}

/** One conversation. */
export const getConversation = publicRoute({
  method: 'GET',
  path: '/api/public/conversations/:conversationId',
  operationId: 'getConversation',
  tag: 'Conversations',
  summary: 'Get a conversation',
  description: 'The conversation with its contact, the session data of the channel, and its handoff.',
  scopes: ['read:conversations'],
  params: { conversationId: 'Id of a conversation, `conv_…`.' },
  success: { 200: 'The conversation.' },
  response: conversationRecord,
  etag: conversationRecord,
  problems: ['not_found'],
  async handler({ accountId, params }: PublicCall, deps: RouteDeps) {
    const found = await deps.conversations.findConversation(accountId, params.conversationId as string);
    if (found === undefined) return NO_CONVERSATION;
    return { outcome: 'done', body: describeConversation(found), revision: found.revision };
  },
});
