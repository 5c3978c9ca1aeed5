import { StoppedWhileWaiting } from '../wait/wait-out.ts';

export interface Isolation<Action, Applied> {
  /** Applies one action without the others. */
  readonly alone: (action: Action) => Promise<Applied>;
  /** The result of an action that throws. */
  readonly failed: (action: Action, reason: string) => Applied;
  /** Gets the error of the whole group, and the number of its actions. */
  readonly onBug: (error: unknown, actions: number) => void;
}

/**
 * Isolates a bug that one action triggers, so that it doesn't block the rest of the group or the job. If `together` throws, each
 * action is applied separately, in the given order. The actions that throw again have failed.
 */
export async function isolateBugs<Action, Applied, Group>(
  actions: readonly Action[],
  together: () => Promise<Group>,
  { alone, failed, onBug }: Isolation<Action, Applied>,
): Promise<Group | ReadonlyMap<Action, Applied>> {
  try {
    return await together();
  } catch (error) {
    if (error instanceof StoppedWhileWaiting) throw error;
    onBug(error, actions.length);
  }
  const results = new Map<Action, Applied>();
  for (const action of actions) {
    try {
      results.set(action, await alone(action));
    } catch (error) {
      if (error instanceof StoppedWhileWaiting) throw error;
      results.set(
        action,
        failed(action, `Applying the action caused an unexpected error (${String(error)}).`),
      );
    }
  }
  return results;
}
