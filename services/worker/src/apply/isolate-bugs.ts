import { type AdmittedAny, isOfConversation } from '@sluice/contract/groups';
import { conversationIdOf } from '@sluice/conversations/apply-conversations';
import { StoppedWhileWaiting } from '../wait/wait-out.ts';
import { eventIdOf } from './plan-work.ts';
import type { AnyApplied, ApplyAny } from './split-by-kind.ts';

/**
 * Isolates a bug that one action triggers, so that it doesn't block the rest of the group or the job. If applying the
 * group throws, each action is applied separately. The actions that throw again get the outcome `failed`.
 */
export function isolateBugs(applyGroup: ApplyAny): ApplyAny {
  async function applyAlone(action: AdmittedAny): Promise<AnyApplied> {
    try {
      return (await applyGroup([action])).of(action);
    } catch (error) {
      if (error instanceof StoppedWhileWaiting) throw error;
      const reason = `Applying the action caused an unexpected error (${String(error)}).`;
      return { ...targetOf(action), outcome: 'failed', reason };
    }
  }

  return async (actions) => {
    try {
      return await applyGroup(actions);
    } catch (error) {
      if (error instanceof StoppedWhileWaiting) throw error;
      const applied = new Map<AdmittedAny, AnyApplied>();
      for (const action of inOrder(actions)) applied.set(action, await applyAlone(action));
      return { of: (action) => applied.get(action) as AnyApplied, rounds: actions.length };
    }
  };
}

function inOrder(actions: readonly AdmittedAny[]): AdmittedAny[] {
  return [...actions].sort((a, b) => a.sequence - b.sequence);
}

function targetOf(action: AdmittedAny): Pick<AnyApplied, 'event_id' | 'conversation_id'> {
  return isOfConversation(action)
    ? { event_id: null, conversation_id: conversationIdOf(action) }
    : { event_id: eventIdOf(action) };
}
