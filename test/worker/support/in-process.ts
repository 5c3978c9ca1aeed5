import type { DeadLetterBox } from '../../../services/worker/src/dead-letter-box.ts';
import type { DeliveryLog } from '../../../services/worker/src/delivery-log/delivery-log.ts';
import type { EventStore } from '../../../services/worker/src/event-store.ts';
import type { GroupDone } from '../../../services/worker/src/group-observer.ts';
import { createProcessActions } from '../../../services/worker/src/process-actions.ts';
import { createFastApplier } from './fast-applier.ts';
import type { TestStores } from './stores.ts';

/** Processes groups without a queue, so that a test can repeat a group and inject faults. */
export function createPipeline(
  stores: TestStores,
  broken: { events?: EventStore; log?: DeliveryLog; deadLetters?: DeadLetterBox } = {},
) {
  const done: GroupDone[] = [];
  const process = createProcessActions({
    applyGroup: createFastApplier(broken.events ?? stores.store.events),
    deadLetters: broken.deadLetters ?? stores.deadLetters,
    log: broken.log ?? stores.store.deliveries,
    observer: { applied: (group) => void done.push(group), newer: () => {} },
    now: Date.now,
  });
  return { done, run: (data: unknown) => process({ id: '7', data }) };
}
