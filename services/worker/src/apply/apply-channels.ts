import type { Outcome } from '@sluice/contract/delivery';
import type { AdmittedConversation } from '@sluice/contract/groups';
import { type ApplyDeps, applyConversations } from '@sluice/conversations/apply-conversations';
import { conversationIdOf } from '@sluice/conversations/fold-conversation';
import { StoppedWhileWaiting } from '../wait/wait-out.ts';

/** The result of one action of a channel. */
export interface ChannelApplied {
  readonly conversation_id: string;
  readonly outcome: Outcome;
  /** Why it failed; null if it didn't. */
  readonly reason: string | null;
  /** The log must not have the content of the action: see applyConversations. */
  readonly isErased?: boolean;
}

export type ApplyChannels = (
  actions: readonly AdmittedConversation[],
) => Promise<ReadonlyMap<AdmittedConversation, ChannelApplied>>;

/**
 * Applies the actions of channels. A bug that one action triggers fails this action alone: if the group throws, each is
 * applied separately.
 */
export function createApplyChannels(deps: ApplyDeps): ApplyChannels {
  async function applyAll(actions: readonly AdmittedConversation[]) {
    const applied = await applyConversations(deps, actions);
    return actions.map((action, index): [AdmittedConversation, ChannelApplied] => [
      action,
      {
        conversation_id: conversationIdOf(action),
        outcome: applied[index]?.outcome ?? 'failed',
        reason: null,
        isErased: applied[index]?.isErased ?? false,
      },
    ]);
  }

  async function applyAlone(action: AdmittedConversation) {
    try {
      return await applyAll([action]);
    } catch (error) {
      if (error instanceof StoppedWhileWaiting) throw error;
      const reason = `Applying the action caused an unexpected error (${String(error)}).`;
      const failed = { conversation_id: conversationIdOf(action), outcome: 'failed', reason } as const;
      return [[action, failed]] satisfies [AdmittedConversation, ChannelApplied][];
    }
  }

  return async (actions) => {
    if (actions.length === 0) return new Map();
    try {
      return new Map(await applyAll(actions));
    } catch (error) {
      if (error instanceof StoppedWhileWaiting) throw error;
      const results = new Map<AdmittedConversation, ChannelApplied>();
      for (const action of actions)
        for (const [one, result] of await applyAlone(action)) results.set(one, result);
      return results;
    }
  };
}
