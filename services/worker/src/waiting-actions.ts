import type { AdmittedAction, AdmittedConversation, AnyAction } from '@sluice/contract/delivery/groups';
import type { ApplyChannels } from './apply/apply-channels.ts';
import type { GroupResult } from './apply/apply-group.ts';
import type { AppliedOutcome } from './delivery-log/delivery-rows.ts';
import type { TakenAction } from './take/read-actions.ts';

/** The results of a run, by action. */
export interface RunResults {
  readonly events: Pick<GroupResult, 'of'>;
  readonly channels: Awaited<ReturnType<ApplyChannels>>;
}

/** An action that waits until its event or conversation has published some of its changes. */
export interface WaitingAction {
  /** In the group. */
  readonly index: number;
  /** The event or conversation. */
  readonly recordId: string;
  readonly action: AdmittedAction<AnyAction>;
}

/** The actions of a group that wait, in their order. */
export function waitingActions(members: readonly TakenAction[], results: RunResults): WaitingAction[] {
  return members.flatMap((member, index) => {
    if (member.status !== 'readable') return [];
    const { action } = member;
    const recordId = waitsFor(action, results);
    return recordId === undefined ? [] : [{ index, recordId, action }];
  });
}

/** The outcome of an action that does not wait. */
export function outcomeOfAction(
  action: AdmittedAction<AnyAction>,
  { events, channels }: RunResults,
): AppliedOutcome {
  const applied = isOfEvent(action) ? events.of(action) : channels.get(action as AdmittedConversation);
  if (applied === undefined) throw new Error(`delivery ${action.delivery_id} was not part of the group`);
  if (applied.outcome === 'waits') throw new Error(`delivery ${action.delivery_id} waits`);
  return 'event_id' in applied ? applied : { event_id: null, ...applied };
}

/** The record that must publish its changes before it gets those of this action; undefined if the action need not wait. */
function waitsFor(action: AdmittedAction<AnyAction>, { events, channels }: RunResults): string | undefined {
  if (isOfEvent(action)) {
    const { outcome, event_id } = events.of(action);
    return outcome === 'waits' ? event_id : undefined;
  }
  const applied = channels.get(action as AdmittedConversation);
  return applied?.outcome === 'waits' ? applied.conversation_id : undefined;
}

export function isOfEvent(admitted: AdmittedAction<AnyAction>): admitted is AdmittedAction {
  return 'identity' in admitted.action;
}

export function isOfChannel(admitted: AdmittedAction<AnyAction>): admitted is AdmittedConversation {
  return !isOfEvent(admitted);
}
