import type { Outcome } from '@sluice/contract/delivery/delivery';
import type { Action } from '@sluice/contract/event/action';
import type { EventContent, EventStatus } from '@sluice/contract/event/event-fields';

export interface PlainEvent {
  readonly content: EventContent;
  readonly status: EventStatus;
}

/**
 * Defines the three actions without sequence numbers, markers or tombstones: it applies them one by one to events that
 * exist or not. It is independent of the fold, which must agree with it if the order is kept.
 */
export function createOracle() {
  const events = new Map<string, PlainEvent>();
  return {
    event: (name: string): PlainEvent | undefined => events.get(name),
    apply(name: string, action: Action): Outcome {
      const before = events.get(name);
      if (action.kind === 'upsert') {
        events.set(name, { content: action.content, status: action.status });
        return before === undefined ? 'created' : 'updated';
      }
      if (before === undefined) return 'not_found';
      if (action.kind === 'delete') {
        events.delete(name);
        return 'deleted';
      }
      events.set(name, { ...before, status: 'cancelled' });
      return 'cancelled';
    },
  };
}
