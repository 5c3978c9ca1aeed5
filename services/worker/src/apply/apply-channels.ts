import type { Outcome } from '@sluice/contract/delivery/delivery';
import type { AdmittedConversation } from '@sluice/contract/delivery/groups';
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

/** Too many changes of the conversation are not published yet. The action had no effect, and must be applied again later. */
export interface ChannelWaits {
  readonly conversation_id: string;
  readonly outcome: 'waits';
}

export type ApplyChannels = (
  actions: readonly AdmittedConversation[],
) => Promise<ReadonlyMap<AdmittedConversation, ChannelApplied | ChannelWaits>>;

type Result = [AdmittedConversation, ChannelApplied | ChannelWaits];

/**
 * Applies the actions of channels. A bug that one action triggers fails this action alone: if the group throws, each is
 * applied separately, and `onBug` gets the error and the number of actions.
 */
export function createApplyChannels(
  deps: ApplyDeps,
  onBug: (error: unknown, actions: number) => void,
): ApplyChannels {
  async function applyAll(actions: readonly AdmittedConversation[]): Promise<Result[]> {
    const applied = await applyConversations(deps, actions);
    return actions.map((action, index): Result => {
      const conversation_id = conversationIdOf(action);
      const { outcome = 'failed', isErased = false } = applied[index] ?? {};
      return [
        action,
        outcome === 'waits'
          ? { conversation_id, outcome }
          : { conversation_id, outcome, reason: null, isErased },
      ];
    });
  }

  async function applyAlone(action: AdmittedConversation): Promise<Result[]> {
    try {
      return await applyAll([action]);
    } catch (error) {
      if (error instanceof StoppedWhileWaiting) throw error;
      const reason = `Applying the action caused an unexpected error (${String(error)}).`;
      const failed = { conversation_id: conversationIdOf(action), outcome: 'failed', reason } as const;
      return [[action, failed]];
    }
  }

  return async (actions) => {
    if (actions.length === 0) return new Map();
    try {
      return new Map(await applyAll(actions));
    } catch (error) {
      if (error instanceof StoppedWhileWaiting) throw error;
      onBug(error, actions.length);
      const results = new Map<AdmittedConversation, ChannelApplied | ChannelWaits>();
      for (const action of actions)
        for (const [one, result] of await applyAlone(action)) results.set(one, result);
      return results;
    }
  };
}
