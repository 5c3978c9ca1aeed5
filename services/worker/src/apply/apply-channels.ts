import type { Outcome } from '@sluice/contract/delivery/delivery';
import type { AdmittedConversation } from '@sluice/contract/delivery/groups';
import { type ApplyDeps, applyConversations } from '@sluice/conversations/apply-conversations';
import { conversationIdOf } from '@sluice/conversations/fold-conversation';
import { isolateBugs } from './isolate-bugs.ts';

/** The result of one action of a channel. */
export interface ChannelApplied {
  readonly conversation_id: string;
  readonly outcome: Outcome;
  /** Why it failed; null if it didn't. */
  readonly reason: string | null;
  /** The log must not have the content of the action: see applyConversations. */
  readonly isErased?: boolean;
}

/** Too many changes of the conversation are not published yet. The action had no effect, and must be applied again later. */
export interface ChannelWaits {
  readonly conversation_id: string;
  readonly outcome: 'waits';
}

export type ApplyChannels = (
  actions: readonly AdmittedConversation[],
) => Promise<ReadonlyMap<AdmittedConversation, ChannelApplied | ChannelWaits>>;

type Result = ChannelApplied | ChannelWaits;

/** Applies the actions of channels (see isolateBugs). */
export function createApplyChannels(
  deps: ApplyDeps,
  onBug: (error: unknown, actions: number) => void,
): ApplyChannels {
  async function applyAll(actions: readonly AdmittedConversation[]) {
    const applied = await applyConversations(deps, actions);
    const results = actions.map((action, index): [AdmittedConversation, Result] => {
      const conversation_id = conversationIdOf(action);
      const { outcome = 'failed', isErased = false } = applied[index] ?? {};
      const result: Result =
        outcome === 'waits'
          ? { conversation_id, outcome }
          : { conversation_id, outcome, reason: null, isErased };
      return [action, result];
    });
    return new Map(results);
  }

  return async (actions) => {
    if (actions.length === 0) return new Map();
    return isolateBugs<AdmittedConversation, Result, ReadonlyMap<AdmittedConversation, Result>>(
      actions,
      () => applyAll(actions),
      {
        alone: async (action) => (await applyAll([action])).get(action) as Result,
        failed: (action, reason) => ({
          conversation_id: conversationIdOf(action),
          outcome: 'failed',
          reason,
        }),
        onBug,
      },
    );
  };
}
