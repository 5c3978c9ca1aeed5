import type { ApplyChannels } from '../../../services/worker/src/apply/apply-channels.ts';
import type { GroupDone, GroupWaits } from '../../../services/worker/src/group-observer.ts';
import type { DeadLetterBox, DeliveryLog, EventStore } from '../../../services/worker/src/ports.ts';
import {
  createProcessActions,
  type ProcessActionsDeps,
} from '../../../services/worker/src/process-actions.ts';
import { createFastApplier } from './fast-applier.ts';
import type { TestStores } from './stores.ts';

/** Processes groups without a queue, so that a test can repeat a group and inject faults. */
export function createPipeline(
  stores: TestStores,
  broken: {
    events?: EventStore;
    log?: DeliveryLog;
    deadLetters?: DeadLetterBox;
    applyChannels?: ApplyChannels;
    holdSources?: ProcessActionsDeps['holdSources'];
  } = {},
) {
  const done: GroupDone[] = [];
  const waits: GroupWaits[] = [];
  const bugs: unknown[] = [];
  const process = createProcessActions({
    applyGroup: createFastApplier(broken.events ?? stores.store.events),
    ...(broken.applyChannels && { applyChannels: broken.applyChannels }),
    ...(broken.holdSources && { holdSources: broken.holdSources }),
    deadLetters: broken.deadLetters ?? stores.deadLetters,
    retentionMs: 30 * 86_400_000,
    log: broken.log ?? stores.store.deliveries,
    observer: {
      applied: (group) => void done.push(group),
      newer: () => {},
      waits: (group) => void waits.push(group),
      bug: (error) => void bugs.push(error),
    },
    now: Date.now,
  });
  return { done, waits, bugs, run: (data: unknown) => process({ id: '7', data }) };
}
