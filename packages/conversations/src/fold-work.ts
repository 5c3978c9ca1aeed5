import type { UntoldChange } from '@sluice/contract/change';
import { messageId } from '@sluice/contract/conversation-id';
import { NO_CONVERSATION } from '@sluice/contract/conversation-state';
import type { Outcome } from '@sluice/contract/delivery';
import type { AdmittedConversation } from '@sluice/contract/groups';
import type {
  ConversationWrite,
  StoredConversation,
  StoredMessage,
} from '@sluice/store/conversation-document';
import { NO_OUTCOMES, outcomeIn, withOutcomes } from '@sluice/store/recent-outcomes';
import { changesOf } from './changes-of.ts';
import { foldConversation } from './fold-conversation.ts';

/** The actions of a group on one conversation, sorted by sequence number, without repetitions. */
export interface ConversationWork {
  readonly conversation_id: string;
  readonly actions: readonly AdmittedConversation[];
}

export interface FoldedWork {
  readonly work: ConversationWork;
  /** Null if nothing has to be written. */
  readonly write: ConversationWrite | null;
  readonly outcomes: ReadonlyMap<number, Outcome>;
}

/** Outcomes that a conversation remembers in addition to those of its last group (as in the fold of events). */
const REMEMBERED_OUTCOMES = 32;

/**
 * Folds the actions of one conversation over its stored state. An action with a remembered outcome was applied by an earlier
 * run. It is reported with that outcome, and its changes are not told again.
 */
export function foldWork(
  work: ConversationWork,
  stored: StoredConversation | undefined,
  nowMs: number,
): FoldedWork {
  const first = work.actions[0] as AdmittedConversation;
  const remembered = stored?.recent ?? NO_OUTCOMES;
  const outcomes = new Map<number, Outcome>();
  const changes: UntoldChange[] = [];
  let state = stored?.state ?? NO_CONVERSATION;
  let sequence = stored?.sequence ?? 0;
  for (const admitted of work.actions) {
    const known = outcomeIn(remembered, admitted.sequence);
    if (known !== undefined) {
      outcomes.set(admitted.sequence, known);
      continue;
    }
    const { message } = admitted.action;
    const message_id = message === undefined ? null : messageId(work.conversation_id, message.external_id);
    const numbered = {
      action: admitted.action,
      sequence: admitted.sequence,
      channel_id: first.source_id,
      message_id,
    };
    const after = foldConversation(state, numbered);
    const step = { admitted, before: state, after, message_id };
    for (const change of changesOf(step, sequence, nowMs)) {
      changes.push(change);
      sequence = change.sequence;
    }
    outcomes.set(admitted.sequence, outcomeOf(step));
    state = after;
  }
  const isNew = [...outcomes.keys()].some((one) => outcomeIn(remembered, one) === undefined);
  if (!isNew) return { work, write: null, outcomes };
  const conversation: StoredConversation = {
    conversation_id: work.conversation_id,
    account_id: first.account_id,
    channel_id: first.source_id,
    external_id: first.action.conversation.external_id,
    state,
    // At least the time, so that a revision is never used again.
    revision: Math.max((stored?.revision ?? 0) + 1, nowMs),
    recent: withOutcomes(remembered, outcomes, REMEMBERED_OUTCOMES),
    sequence,
    lead_id: stored?.lead_id ?? null,
    // It never goes back, so that a list by ascending updated_at shows each conversation at least once.
    updated_at: Math.max((stored?.updated_at ?? 0) + 1, nowMs),
  };
  return { work, outcomes, write: { conversation, expectedRevision: stored?.revision ?? 0, changes } };
}

type Step = Parameters<typeof changesOf>[0];

function outcomeOf({ admitted, before, after }: Step): Outcome {
  if (before.created === null) return 'created';
  const { created: _b, ...was } = before;
  const { created: _a, ...is } = after;
  const stays = Object.keys(was).every(
    (name) => was[name as keyof typeof was] === is[name as keyof typeof is],
  );
  return stays && admitted.action.message === undefined ? 'superseded' : 'updated';
}

/** The messages of some work, in the form of the store. Storing them again changes nothing. */
export function messagesOf({ conversation_id, actions }: ConversationWork): StoredMessage[] {
  return actions.flatMap(({ action: { message }, account_id, sequence }) => {
    if (message === undefined) return [];
    const { sent_at, reply, ...content } = message;
    return {
      ...content,
      message_id: messageId(conversation_id, message.external_id),
      conversation_id,
      account_id,
      sequence,
      first: sequence,
      given_sent_at: sent_at ?? null,
      delivery: reply === true ? ('pending' as const) : null,
    };
  });
}
