import { fromDocument, toReplacement } from '@sluice/store/events/event-conversion';
import type { EventDocument, EventWrite, EventWriteResult } from '@sluice/store/events/event-document';
import type { EventStore } from '../../../services/worker/src/ports.ts';

export interface MemoryEvents extends EventStore {
  /** By id, in the form in which MongoDB gets them. */
  readonly documents: ReadonlyMap<string, EventDocument>;
}

/** Thrown by a write that a dying worker did not finish. */
export class Killed extends Error {}

/** A store in memory. It dies once after `diesAfter` of the documents that it is asked to write. */
export function createMemoryEvents(diesAfter = Number.POSITIVE_INFINITY): MemoryEvents {
  const documents = new Map<string, EventDocument>();
  let left = diesAfter;
  const write = (one: EventWrite): EventWriteResult => {
    if (left === 0) {
      left = Number.POSITIVE_INFINITY;
      throw new Killed();
    }
    left -= 1;
    const { event_id } = one.event;
    if ((documents.get(event_id)?.revision ?? 0) !== one.expectedRevision) return { status: 'lost_race' };
    documents.set(event_id, { _id: event_id, ...toReplacement(one) });
    return { status: 'written' };
  };
  return {
    documents,
    async loadPortion(ids) {
      const found = ids.flatMap((id) => documents.get(id) ?? []).map(fromDocument);
      return { events: new Map(found.map((event) => [event.event_id, event])), unread: [] };
    },
    writeEvents: async (writes) => writes.map(write),
  };
}
