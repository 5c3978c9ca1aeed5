import type { EventWrite, EventWriteResult } from '@sluice/store/event-document';
import type { EventPortion } from '@sluice/store/load-portion';

/** The verbs of the store that applying needs. They throw only when MongoDB cannot be reached. */
export interface EventStore {
  loadPortion(ids: readonly string[]): Promise<EventPortion>;
  writeEvents(writes: readonly EventWrite[]): Promise<readonly EventWriteResult[]>;
}
