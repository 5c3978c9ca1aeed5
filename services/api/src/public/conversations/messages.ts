import { LIST_SORTS, pageParameters, updatedSince } from '@sluice/contract/api/public-list';
import {
  listedMessage,
  type MessageInput,
  messageInput,
  WRITTEN_MESSAGE,
  writtenMessage,
} from '@sluice/contract/conversation/conversation';
import { describeListedMessage, describeMessage } from '@sluice/conversations/describe-conversation';
import { type ActDeps, type Replied, reply } from '@sluice/conversations/enqueue-and-apply';
import type { ListedMessage } from '@sluice/store/conversations/conversation-document';
import * as z from 'zod';
import { type Refusal, refuse } from '../../http/result.ts';
import { listOrder } from '../../leads/list-order.ts';
import type { RouteDeps } from '../../parts.ts';
import { type FirstAnswer, type PublicCall, publicRoute } from '../layer/declare-route.ts';
import type { Place } from '../layer/list-route.ts';
import { listRoute } from '../layer/list-route.ts';
import { NO_CONVERSATION } from './read-conversations.ts';

const PATH = '/api/public/conversations/:conversationId/messages';
const PARAMS = { conversationId: 'Id of a conversation, `conv_…`.' };

const query = z.strictObject({
  ...pageParameters,
  sort: z.enum(LIST_SORTS).default('created_at').meta({
    description: 'Oldest first, or newest first: by `sent_at`, or by the last change.',
  }),
  updated_since: updatedSince,
});
type Query = z.output<typeof query>;

/** The messages of a conversation. */
export const listMessages = listRoute({
  path: PATH,
  operationId: 'listMessages',
  tag: 'Conversations',
  summary: 'List the messages of a conversation',
  description:
    'Oldest first, by `sent_at`. A message that was sent twice with the same `external_id` is one message. To read what has changed, sort by `updated_at` and pass the `updated_until` of the last read as `updated_since`.',
  scopes: ['read:conversations'],
  params: PARAMS,
  query,
  item: listedMessage,
  byChange: true,
  problems: ['not_found'],
  async read({ accountId, params, query }: PublicCall<Query>, after: Place | undefined, deps: RouteDeps) {
    const conversationId = params.conversationId as string;
    if ((await deps.conversations.findConversation(accountId, conversationId)) === undefined)
      return NO_CONVERSATION;
    return listOrder(query.sort).by === 'updated_at'
      ? pageChanged(deps, conversationId, query, after)
      : pageSent(deps, conversationId, query, after);
  },
});

async function pageSent(
  { conversationMessages }: RouteDeps,
  conversationId: string,
  { sort, limit, updated_since }: Query,
  after: Place | undefined,
) {
  const { items, more } = await conversationMessages.pageMessages(conversationId, {
    ...{ descending: listOrder(sort).descending, updatedSince: updated_since, limit },
    ...(after !== undefined && { after: placeOf(after) }),
  });
  const placed = ({ sent_at, sequence, message_id }: ListedMessage) => [sent_at, sequence, message_id];
  return { more, items: items.map((one) => ({ record: describeListedMessage(one), place: placed(one) })) };
}

function placeOf([sent_at, sequence, message_id]: Place) {
  return { sent_at: sent_at as number, sequence: sequence as number, message_id: message_id as string };
}

async function pageChanged(
  { conversationMessages }: RouteDeps,
  conversationId: string,
  { sort, limit, updated_since }: Query,
  after: Place | undefined,
) {
  const { items, more } = await conversationMessages.pageChangedMessages(conversationId, {
    ...{ descending: listOrder(sort).descending, updatedSince: updated_since, limit },
    ...(after !== undefined && { after: { at: after[0] as number, id: after[1] as string } }),
  });
  const placed = ({ updated_at, message_id }: ListedMessage) => [updated_at, message_id];
  return { more, items: items.map((one) => ({ record: describeListedMessage(one), place: placed(one) })) };
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
        `The conversation is ${replied.state}. A reply needs handoff_active: accept the handoff first, or wait until an agent or the channel does.`,
      );
    case 'refused':
      return replied.refusal;
  }
}
