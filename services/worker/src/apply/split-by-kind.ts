import type { Outcome } from '@sluice/contract/delivery';
import { type AdmittedAction, type AdmittedAny, isOfConversation } from '@sluice/contract/groups';
import type { ApplyConversations } from '@sluice/conversations/apply-conversations';
import type { ApplyGroup } from './apply-group.ts';

/** The result of an action on an event or a conversation. */
export interface AnyApplied {
  readonly event_id: string | null;
  readonly conversation_id?: string;
  readonly outcome: Outcome;
  readonly reason: string | null;
}

export type OutcomeOf = (action: AdmittedAny) => AnyApplied;
export type ApplyAny = (
  actions: readonly AdmittedAny[],
) => Promise<{ readonly of: OutcomeOf; readonly rounds: number }>;

/** Applies the actions of events and those of conversations. Most runs have only events, and cost nothing more. */
export function splitByKind(applyEvents: ApplyGroup, applyConversations: ApplyConversations): ApplyAny {
  return async (actions) => {
    const channels = actions.filter(isOfConversation);
    if (channels.length === 0) {
      const events = await applyEvents(actions as readonly AdmittedAction[]);
      return { of: (action) => events.of(action as AdmittedAction), rounds: events.rounds };
    }
    const others = actions.filter((one): one is AdmittedAction => !isOfConversation(one));
    const [events, conversations] = await Promise.all([applyEvents(others), applyConversations(channels)]);
    return {
      of: (action) =>
        isOfConversation(action) ? { event_id: null, ...conversations.of(action) } : events.of(action),
      rounds: Math.max(events.rounds, conversations.rounds),
    };
  };
}
