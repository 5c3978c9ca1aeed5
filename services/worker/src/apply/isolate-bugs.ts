import type { AdmittedAction } from '@sluice/contract/delivery/groups';
import { StoppedWhileWaiting } from '../wait/wait-out.ts';
import type { ApplyGroup } from './apply-group.ts';
import type { Applied } from './group-outcomes.ts';
import { idOf } from './plan-work.ts';

/**
 * Isolates a bug that one action triggers, so that it doesn't block the rest of the group or the job. If applying the
 * group throws, `onBug` gets the error and the number of actions, and each action is applied separately. The actions that
 * throw again get the outcome `failed`.
 */
export function isolateBugs(
  applyGroup: ApplyGroup,
  onBug: (error: unknown, actions: number) => void,
): ApplyGroup {
  async function applyAlone(action: AdmittedAction): Promise<Applied> {
    try {
      return (await applyGroup([action])).of(action);
    } catch (error) {
      if (error instanceof StoppedWhileWaiting) throw error;
      const reason = `Applying the action caused an unexpected error (${String(error)}).`;
      return { event_id: idOf(action), outcome: 'failed', reason };
    }
  }

  return async (actions) => {
    try {
      return await applyGroup(actions);
    } catch (error) {
      if (error instanceof StoppedWhileWaiting) throw error;
      onBug(error, actions.length);
      const applied = new Map<AdmittedAction, Applied>();
      for (const action of inOrder(actions)) applied.set(action, await applyAlone(action));
      return {
        of: (action) => applied.get(action) as Applied,
        rounds: actions.length,
      };
    }
  };
}

function inOrder(actions: readonly AdmittedAction[]): AdmittedAction[] {
  return [...actions].sort((a, b) => a.sequence - b.sequence);
}
