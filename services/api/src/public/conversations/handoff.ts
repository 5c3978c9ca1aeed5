import {
  conversationRecord,
  type HandoffInput,
  handoffInput,
  WRITTEN_CONVERSATION,
  writtenConversation,
} from '@sluice/contract/conversation/conversation';
import { describeConversation } from '@sluice/conversations/describe-conversation';
import { type ActDeps, type Acted, acceptRequest, endHandoff } from '@sluice/conversations/enqueue-and-apply';
import type { Conversation } from '@sluice/store/conversations/conversation-document';
import { type Refusal, refuse } from '../../http/result.ts';
import { type FirstAnswer, type PublicCall, publicRoute } from '../layer/declare-route.ts';
import { NO_CONVERSATION } from './read-conversations.ts';

const PERFORM = { accept: acceptRequest, end: endHandoff } as const;

/** Accepts or ends a handoff, as an agent in the dashboard does. */
export const updateHandoff = publicRoute({
  method: 'POST',
  path: '/api/public/conversations/:conversationId/handoff',
  operationId: 'updateHandoff',
  tag: 'Conversations',
  summary: 'Accept or end a handoff',
  description:
    'Accepts a handoff that a visitor has requested, so that replies are possible, or ends an active one. Accepting again as the same agent changes nothing. Only an agent in the dashboard or the channel can take a handoff from another agent.',
  scopes: ['write:conversations'],
  params: { conversationId: 'Id of a conversation, `conv_…`.' },
  body: handoffInput,
  success: { 200: 'The conversation after the change.' },
  response: writtenConversation,
  etag: conversationRecord,
  discloses: { scope: 'read:conversations', always: WRITTEN_CONVERSATION },
  problems: ['not_found', 'handoff_not_requested', 'handoff_not_active', 'source_inactive'],
  async handler(call: PublicCall<undefined, HandoffInput>, deps: ActDeps) {
    const { accountId, apiKey, doer, params, body, isRepeat } = call;
    const acted = await PERFORM[body.action](deps, {
      accountId,
      conversationId: params.conversationId as string,
      by: { type: 'api_key', id: apiKey.key_id, name: body.agent_name || apiKey.name },
      doer,
      isRepeat,
    });
    return acted.status === 'done' ? answer(acted.conversation) : refusalOf(acted, body.action);
  },
  async readAgain(_: FirstAnswer, { accountId, params }, deps: ActDeps) {
    const found = await deps.conversations.findConversation(accountId, params.conversationId as string);
    return found === undefined ? NO_CONVERSATION : answer(found);
  },
});

function answer(conversation: Conversation) {
  return {
    outcome: 'done',
    status: 200,
    body: describeConversation(conversation),
    revision: conversation.revision,
    target: conversation.conversation_id,
  } as const;
}

function refusalOf(acted: Exclude<Acted, { status: 'done' }>, action: HandoffInput['action']): Refusal {
  switch (acted.status) {
    case 'not_found':
      return NO_CONVERSATION;
    case 'wrong_state':
      return action === 'accept'
        ? refuse(
            'handoff_not_requested',
            `The conversation is ${acted.state}. A handoff can be accepted only while it is handoff_requested: the visitor waits, and no other agent was faster.`,
          )
        : refuse(
            'handoff_not_active',
            `The conversation is ${acted.state}. Only a handoff that was accepted can be ended: handoff_active.`,
          );
    case 'refused':
      return acted.refusal;
  }
}
