import type { EventWrite, EventWriteResult } from '@sluice/store/events/event-document';
import type { EventPortion } from '@sluice/store/events/load-portion';

/** The store operations for applying actions. They throw only when MongoDB is unreachable. */
export interface EventStore {
  loadPortion(ids: readonly string[]): Promise<EventPortion>;
  writeEvents(writes: readonly EventWrite[]): Promise<readonly EventWriteResult[]>;
}
