import type { AdmittedAction } from '@sluice/contract/delivery/groups';
import { type ApplyGroup, createApplyGroup } from '../../../services/worker/src/apply/apply-group.ts';
import type { EventStore } from '../../../services/worker/src/ports.ts';

export const TOMBSTONE_MS = 1000;

/** Applies groups without a delay between rounds. */
export function createFastApplier(events: EventStore, now: () => number = Date.now): ApplyGroup {
  return createApplyGroup({ events, backoff: () => Promise.resolve(), now, tombstoneMs: TOMBSTONE_MS });
}

/** Applies a group and returns its outcomes in order. */
export async function outcomesOf(apply: ApplyGroup, actions: readonly AdmittedAction[]): Promise<string> {
  const result = await apply(actions);
  return actions.map((action) => result.of(action).outcome).join(' ');
}

/** The store, which runs `meanwhile` once, between the first load and the write. */
export function interrupted(events: EventStore, meanwhile: () => Promise<unknown>): EventStore {
  let loads = 0;
  return {
    writeEvents: (writes) => events.writeEvents(writes),
    async loadPortion(ids) {
      const loaded = await events.loadPortion(ids);
      loads += 1;
      if (loads === 1) await meanwhile();
      return loaded;
    },
  };
}
