import { isDeepStrictEqual } from 'node:util';
import type { Doer } from '@sluice/contract/account/doer';
import type { ConversationAgent, ConversationStatus } from '@sluice/contract/conversation/conversation';
import type { ConversationAction } from '@sluice/contract/conversation/conversation-action';
import { messageId } from '@sluice/contract/conversation/conversation-id';
import type { ActionRefused } from '@sluice/contract/problem/action-refused';
import type { Conversation, ConversationMessage } from '@sluice/store/conversations/conversation-document';
import type { Conversations } from '@sluice/store/conversations/conversations';
import { type ApplyDeps, applyConversations } from './apply-conversations.ts';

export interface ActDeps extends ApplyDeps {
  readonly conversations: Conversations;
  /** Admits and enqueues actions of one channel, in order (admission/enqueue/enqueue-actions.ts). */
  readonly enqueueActions: (
    channelId: string,
    wanted: readonly { readonly action: ConversationAction }[],
  ) => Promise<readonly (Enqueued | ActionRefused)[]>;
}

interface Enqueued {
  readonly outcome: 'enqueued';
  readonly sequence: number;
  /** Milliseconds since the Unix epoch. */
  readonly received_at: number;
}

/** Names the agent and the conversation. */
export interface Act {
  readonly accountId: string;
  readonly conversationId: string;
  readonly by: ConversationAgent;
  /** For the audit log, which gets its entry when the action is applied. Absent: the caller writes it. */
  readonly doer?: Doer | undefined;
  /** An earlier try may have been admitted, so its effect counts as this one's. */
  readonly isRepeat?: boolean;
}

export interface Reply extends Act {
  readonly text: string;
  readonly authorName: string | null;
  /** Identifies the reply within the conversation: the same one again has no further effect. */
  readonly externalId: string;
  /** When an earlier try began that may have admitted the reply. Absent: there was none. Milliseconds since the Unix epoch. */
  readonly triedAt?: number;
}

export type Acted =
  | { readonly status: 'done'; readonly conversation: Conversation }
  | { readonly status: 'not_found' }
  /** The state of the conversation does not allow it. */
  | { readonly status: 'wrong_state'; readonly state: ConversationStatus }
  | { readonly status: 'refused'; readonly refusal: ActionRefused };

export type Replied =
  | Exclude<Acted, { status: 'done' }>
  | { readonly status: 'done'; readonly conversation: Conversation; readonly message: ConversationMessage };

/** Takes a conversation over, also from another agent. A closed one cannot be taken over. */
export async function acceptHandoff(deps: ActDeps, act: Act): Promise<Acted> {
  return perform(deps, act, {
    allows: ({ status }) => status !== 'closed',
    action: { kind: 'accept_handoff' },
  });
}

/** Accepts a handoff that the visitor waits for. It has no further effect if the same agent has it already. */
export async function acceptRequest(deps: ActDeps, act: Act): Promise<Acted> {
  return perform(deps, act, {
    allows: ({ status }) => status === 'handoff_requested',
    isDone: (conversation) =>
      isActive(conversation) && isDeepStrictEqual(conversation.accepted?.agent, act.by),
    action: { kind: 'accept_handoff' },
  });
}

/** Gives a conversation that was taken over back to its channel. */
export async function endHandoff(deps: ActDeps, act: Act): Promise<Acted> {
  return perform(deps, act, {
    allows: isActive,
    isDone: ({ status }) => act.isRepeat === true && status === 'open',
    action: { kind: 'end_handoff' },
  });
}

/** The worker applies what was admitted within seconds, or once MongoDB is back. */
const UNSETTLED_MS = 600_000;

const UNSETTLED: ActionRefused = {
  outcome: 'refused',
  code: 'unavailable',
  detail:
    'It is not known yet whether the first try of this reply is sent. Send the same request again after Retry-After.',
  retryAfterSeconds: 5,
  reason: 'reply_unsettled',
};

const FULL: ActionRefused = {
  outcome: 'refused',
  code: 'unavailable',
  detail:
    'Webhook subscriptions have not got the last changes of this conversation yet. The action is stored and takes effect once they have. If it persists, ask the operator to check Redis.',
  retryAfterSeconds: 10,
  reason: 'changes_pending',
};

/**
 * Keeps a reply, which waits for its delivery to the channel. Only while an agent has taken the conversation over. A repeat is
 * not rejected for the state while its first try may still be applied.
 */
export async function reply(
  deps: ActDeps,
  { text, authorName, externalId, triedAt, ...act }: Reply,
): Promise<Replied> {
  const known = await deps.conversationMessages.loadMessages([messageId(act.conversationId, externalId)]);
  const [before] = known.values();
  if (before !== undefined) {
    const conversation = await deps.conversations.findConversation(act.accountId, act.conversationId);
    return conversation === undefined
      ? { status: 'not_found' }
      : { status: 'done', conversation, message: before };
  }
  const message = {
    external_id: externalId,
    author: 'agent' as const,
    ...(authorName !== null && { author_name: authorName }),
    text,
    reply: true as const,
  };
  const done = await perform(deps, act, { allows: isActive, action: { kind: 'message', message } });
  if (done.status === 'wrong_state' && triedAt !== undefined && deps.now() - triedAt < UNSETTLED_MS)
    return { status: 'refused', refusal: UNSETTLED };
  if (done.status !== 'done') return done;
  if (done.message === undefined) throw new Error('the reply was applied without its message');
  return { ...done, message: done.message };
}

const isActive = ({ status }: Conversation): boolean => status === 'handoff_active';

interface Wanted {
  readonly allows: (before: Conversation) => boolean;
  /** The conversation is already as wanted. */
  readonly isDone?: (before: Conversation) => boolean;
  readonly action: Pick<ConversationAction, 'kind' | 'message'>;
}

/**
 * Takes the path of a channel's request from its admission on, so that all changes of a conversation have one order. Once
 * the action is on disk it is also applied here: the response and the next read show it. The worker applies it without
 * effect.
 */
async function perform(
  deps: ActDeps,
  { accountId, conversationId, by, doer }: Act,
  { allows, isDone, action }: Wanted,
): Promise<Acted & { readonly message?: ConversationMessage | undefined }> {
  const before = await deps.conversations.findConversation(accountId, conversationId);
  if (before === undefined) return { status: 'not_found' };
  if (isDone?.(before)) return { status: 'done', conversation: before };
  if (!allows(before)) return { status: 'wrong_state', state: before.status };
  const { channel_id: channelId, external_id } = before;
  const wanted = { ...action, conversation: { external_id }, by, ...(doer !== undefined && { doer }) };
  const [enqueued] = await deps.enqueueActions(channelId, [{ action: wanted }]);
  if (enqueued === undefined) throw new Error('no result for the action');
  if (enqueued.outcome === 'refused') return { status: 'refused', refusal: enqueued };
  const { sequence, received_at } = enqueued;
  const admitted = { account_id: accountId, source_id: channelId, sequence, received_at, action: wanted };
  const [applied] = await applyConversations(deps, [admitted]);
  if (applied === undefined) throw new Error('no result for the action');
  if (applied.outcome === 'waits') return { status: 'refused', refusal: FULL };
  return { status: 'done', conversation: applied.conversation, message: applied.message };
}
