import { describeConversation } from '@sluice/conversations/describe-conversation';
import {
  type Act,
  type Acted,
  acceptHandoff,
  endHandoff,
  reply,
} from '@sluice/conversations/enqueue-and-apply';
import { type ConversationDetail, newReply } from '@sluice/dashboard-api/conversations';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { leadName } from '@sluice/leads/fields/lead-name';
import type { Conversation } from '@sluice/store/conversations/conversation-document';
import type { Request } from 'express';
import type { Binder } from '../http/bind.ts';
import { LARGE_BODY_BYTES } from '../http/read-body.ts';
import { done, notFound, type Refusal, refuse } from '../http/result.ts';
import type { SignedIn } from '../http/signed-in.ts';
import { authorOf } from '../parts/audit.ts';
import type { RouteDeps } from '../parts.ts';
import { describeItem, describeMessageItem } from './describe-item.ts';
import { changesRoute, listConversations } from './list.ts';
import { messagesRoute } from './messages.ts';

const NO_CONVERSATION = notFound('conversation');

/** Conversations: list, live changes, one with its messages; take over, reply, end. */
export function conversationRoutes(binder: Binder, deps: RouteDeps): void {
  const { guarded } = binder;
  const routes = ROUTES.conversations;
  listConversations(binder, deps);
  // Must come before the route of one conversation, or `changes` would match as its id.
  changesRoute(binder, deps);
  messagesRoute(binder, deps);

  guarded(routes.show, {}, async ({ who, params: { conversationId = '' } }) => {
    const conversation = await deps.conversations.findConversation(who.accountId, conversationId);
    return conversation === undefined ? NO_CONVERSATION : done(await detailOf(deps, who, conversation));
  });

  for (const [route, perform] of [
    [routes.accept, acceptHandoff],
    [routes.end, endHandoff],
  ] as const) {
    guarded(route, {}, async ({ who, params, request }) => {
      const acted = await perform(deps, actOf(who, request, params.conversationId));
      if (acted.status !== 'done') return refusalOf(acted);
      return done(await detailOf(deps, who, acted.conversation));
    });
  }

  const inputs = { body: newReply, maxBodyBytes: LARGE_BODY_BYTES };
  guarded(routes.reply, inputs, async ({ who, params, body, request }) => {
    const replied = await reply(deps, {
      ...actOf(who, request, params.conversationId),
      text: body.text,
      authorName: who.user.name,
      // Another user cannot make up the same one, so no reply hides another.
      externalId: `sluice-${who.user.user_id}-${body.reply_id}`,
    });
    if (replied.status !== 'done') return refusalOf(replied);
    return done(describeMessageItem(replied.message));
  });
}

function actOf(who: SignedIn, request: Request, conversationId = ''): Act {
  const { accountId, user } = who;
  const by = { type: 'member', id: user.user_id, name: user.name } as const;
  return { accountId, conversationId, by, doer: authorOf(who, request) };
}

async function detailOf(
  deps: RouteDeps,
  { accountId }: SignedIn,
  conversation: Conversation,
): Promise<ConversationDetail> {
  const { channel_id: channelId, lead_id: leadId } = conversation;
  const [channel, lead] = await Promise.all([
    deps.ownAnySource({ accountId }, channelId),
    leadId === null ? undefined : deps.leads.findLead(accountId, leadId),
  ]);
  const { language, session } = describeConversation(conversation);
  const names = new Map(channel === undefined ? [] : [[channelId, channel.name]]);
  return {
    ...describeItem(conversation, names),
    language,
    session,
    has_reply_url: (channel?.reply_url ?? null) !== null,
    channel_deleted: channel?.deleted !== undefined,
    lead: lead === undefined ? null : { lead_id: lead.lead_id, name: leadName(lead) },
  };
}

const STATES = {
  handoff_requested: 'waits for an agent',
  handoff_active: 'is with an agent',
  open: 'is with the channel',
  closed: 'is closed',
} as const satisfies Record<Conversation['status'], string>;

function refusalOf(acted: Exclude<Acted, { status: 'done' }>): Refusal {
  switch (acted.status) {
    case 'not_found':
      return NO_CONVERSATION;
    case 'wrong_state': {
      const next = acted.state === 'closed' ? 'Wait for a new message.' : 'Take it over first.';
      return refuse('conflict', `The conversation ${STATES[acted.state]}. ${next}`);
    }
    case 'refused':
      return acted.refusal;
  }
}
