import type { DeadLetters } from '@sluice/queue/dead-letters';
import type { Deliveries } from '@sluice/store/deliveries/deliveries';
import type { Events } from '@sluice/store/events/events';

/** The store operations for applying actions. They throw only when MongoDB is unreachable. */
export type EventStore = Pick<Events, 'loadPortion' | 'writeEvents'>;

/** The store operations for logging deliveries. */
export type DeliveryLog = Pick<Deliveries, 'insertDeliveries' | 'replaceDelivery'>;

/** Keeps actions that can't be applied in their present form. `add` is idempotent. */
export interface DeadLetterBox extends Pick<DeadLetters, 'add'> {
  remove(letterId: string): Promise<unknown>;
}
