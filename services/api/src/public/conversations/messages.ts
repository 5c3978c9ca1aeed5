import {
  type MessageInput,
  messageInput,
  messageRecord,
  WRITTEN_MESSAGE,
  writtenMessage,
} from '@sluice/contract/conversation';
import { pageParameters } from '@sluice/contract/public-list';
import { type ActDeps, type Replied, reply } from '@sluice/conversations/act';
import { describeMessage } from '@sluice/conversations/describe-conversation';
import type { ConversationMessages } from '@sluice/store/conversation-messages';
import * as z from 'zod';
import { type Refusal, refuse } from '../../http/result.ts';
import type { Place } from '../cursors.ts';
import { type FirstAnswer, type PublicCall, publicRoute } from '../declare-route.ts';
import { listRoute } from '../list-route.ts';
import { NO_CONVERSATION, type ReadConversationsDeps } from './read-conversations.ts';

const PATH = '/api/public/conversations/:conversationId/messages';
const PARAMS = { conversationId: 'Id of a conversation, `conv_…`.' };

const query = z.strictObject({
  ...pageParameters,
  sort: z.enum(['created_at', '-created_at']).default('created_at').meta({
    description: 'Oldest first, or newest first. The order is by `sent_at`.',
  }),
});
type Query = z.output<typeof query>;

export interface ListMessagesDeps extends ReadConversationsDeps {
  readonly conversationMessages: Pick<ConversationMessages, 'pageMessages'>;
}

/** The messages of a conversation. */
export const listMessages = listRoute({
  path: PATH,
  operationId: 'listMessages',
  tag: 'Conversations',
  summary: 'List the messages of a conversation',
  description:
    'Oldest first, by `sent_at`. A message that was sent twice with the same `external_id` is one message.',
  scopes: ['read:conversations'],
  params: PARAMS,
  query,
  item: messageRecord,
  problems: ['not_found'],
  async read(
    { accountId, params, query: { sort, limit } }: PublicCall<Query>,
    after: Place | undefined,
    deps: ListMessagesDeps,
  ) {
    const conversationId = params.conversationId as string;
    if ((await deps.conversations.findConversation(accountId, conversationId)) === undefined)
      return NO_CONVERSATION;
    const page = await deps.conversationMessages.pageMessages(conversationId, {
      descending: sort === '-created_at',
      limit,
      ...(after !== undefined && { after: placeOf(after) }),
    });
    return {
      more: page.more,
      items: page.items.map((message) => ({
        record: describeMessage(message),
        place: [message.sent_at, message.sequence, message.message_id],
      })),
    };
  },
});

function placeOf([sent_at, sequence, message_id]: Place) {
  return { sent_at: sent_at as number, sequence: sequence as number, message_id: message_id as string };
}

/** A reply to the visitor. */
export const sendReply = publicRoute({
  method: 'POST',
  path: PATH,
  operationId: 'sendReply',
  tag: 'Conversations',
  summary: 'Reply in a conversation',
  description:
    'Keeps a reply with `delivery: "pending"`, until the channel has received it. A reply is possible only while the status is `handoff_active`.',
  scopes: ['write:conversations'],
  params: PARAMS,
  body: messageInput,
  creates: ['cmsg'],
  success: { 201: 'The reply is kept.' },
  response: writtenMessage,
  discloses: { scope: 'read:conversations', always: WRITTEN_MESSAGE },
  problems: ['not_found', 'handoff_not_active', 'source_inactive'],
  async handler(call: PublicCall<undefined, MessageInput, 'cmsg'>, deps: ActDeps) {
    const { accountId, apiKey, doer, params, body, ids, isRepeat, begunAt } = call;
    const replied = await reply(deps, {
      accountId,
      conversationId: params.conversationId as string,
      by: { type: 'api_key', id: apiKey.key_id, name: apiKey.name },
      doer,
      text: body.text,
      authorName: body.author_name || null,
      // A repeat under the same Idempotency-Key has the same id, so it is the same message.
      externalId: `sluice-${ids.cmsg}`,
      ...(isRepeat && begunAt !== undefined && { triedAt: begunAt }),
    });
    if (replied.status !== 'done') return refusalOf(replied);
    const { message } = replied;
    return {
      outcome: 'done',
      body: describeMessage(message),
      status: 201,
      target: message.message_id,
    };
  },
  async readAgain({ status, target }: FirstAnswer, { accountId, params }, deps: ActDeps) {
    const conversationId = params.conversationId as string;
    if ((await deps.conversations.findConversation(accountId, conversationId)) === undefined)
      return NO_CONVERSATION;
    const message = (await deps.conversationMessages.loadMessages([target])).get(target);
    return message === undefined
      ? NO_CONVERSATION
      : { outcome: 'done', body: describeMessage(message), status, target };
  },
});

function refusalOf(replied: Exclude<Replied, { status: 'done' }>): Refusal {
  switch (replied.status) {
    case 'not_found':
      return NO_CONVERSATION;
    case 'wrong_state':
      return refuse(
        'handoff_not_active',
        `The conversation is ${replied.state}. A reply needs handoff_active: an agent or the channel must accept the handoff first.`,
      );
    case 'refused':
      return replied.refusal;
  }
}
