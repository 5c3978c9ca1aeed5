import type { Action } from '@sluice/contract/event/action';
import type { Connection } from 'mongoose';
import { connectedDb } from '../connection/connected-db.ts';
import { LIST_BATCH } from '../reading/list-batch.ts';
import { isSet, nativeSchema, registerCollection } from '../writing/native-collection.ts';
import type { EventDocument, EventWrite, EventWriteResult, LatePending } from './event-document.ts';
import { type ListedEvent, listedEvent } from './listed-event.ts';
import { type EventPortion, loadPortion } from './load-portion.ts';
import { type When, whenFilter } from './when-filter.ts';
import { writeEvents } from './write-events.ts';

interface EventQuery {
  readonly source_id: string;
  /** Includes deleted events whose tombstones still exist. */
  readonly includeDeleted?: boolean;
  readonly when?: When | undefined;
  readonly limit?: number | undefined;
}

export interface Events {
  /** Loads stored events, as many as fit into memory together. Nearly always all of them, in one round trip. */
  loadPortion(ids: readonly string[]): Promise<EventPortion>;
  /** See write-events.ts. */
  writeEvents(writes: readonly EventWrite[]): Promise<EventWriteResult[]>;
  /** Adds pending changes to events that have none, and that nobody has changed since they were written. */
  keepPending(late: readonly LatePending[]): Promise<void>;
  /** What identifies the existing events of a source that start at one of these times (milliseconds since the Unix epoch). */
  identitiesAt(
    sourceId: string,
    starts: readonly number[],
  ): Promise<Pick<Action, 'identity' | 'external_id'>[]>;
  /** Earliest `starts_at` first. The events are streamed from the server: reading pages takes several times as long for a long list. */
  listEvents(query: EventQuery): AsyncIterable<ListedEvent>;
}

/** Events bypass mongoose's casts. Their types are in event-document.ts. */
function eventSchema() {
  return (
    nativeSchema<EventDocument>()
      .index({ source_id: 1, starts_at: 1, _id: 1 })
      // Partial: only recurring events. Upcoming ones may have begun at any time in the past.
      .index({ source_id: 1, recurring: 1, starts_at: 1 }, isSet('recurring'))
      // Partial: only tombstones and markers. Engines that index each version of a document add no entry for an event.
      .index(
        { expires_at: 1 },
        {
          name: 'expires_at_where_set',
          expireAfterSeconds: 0,
          partialFilterExpression: { expires_at: { $exists: true } },
        },
      )
      // Partial: only events with changes that are not published yet.
      .index({ untold_at: 1 }, isSet('untold_at'))
  );
}

export function createEvents(connection: Connection): Events {
  const collection = registerCollection(connection, 'Event', eventSchema(), 'events');
  return {
    loadPortion: async (ids) => loadPortion(connectedDb(connection), collection.collectionName, ids),
    writeEvents: (writes) => writeEvents(collection, writes),
    async keepPending(late) {
      if (late.length === 0) return;
      const operations = late.map(({ event_id: _id, revision, untold: { json, at, sequence } }) => ({
        updateOne: {
          filter: { _id, revision, untold_at: { $exists: false } },
          update: { $set: { untold: json, untold_at: new Date(at), untold_sequence: sequence } },
        },
      }));
      await collection.bulkWrite(operations, { ordered: false });
    },
    async identitiesAt(source_id, starts) {
      const starts_at = { $in: Array.from(new Set(starts), (start) => new Date(start)) };
      const projection = { title: 1, starts_at: 1, location: 1, external_id: 1 };
      const found = collection.find({ source_id, starts_at, exists: true }, { projection });
      return (await found.toArray()).map(({ title, starts_at: at, location, external_id }) => {
        const identity = { title, starts_at: at.getTime(), location };
        return external_id === undefined ? { identity } : { identity, external_id };
      });
    },
    async *listEvents({ source_id, includeDeleted = false, when, limit = 0 }) {
      // A marker without a first upsert (no created_at) was never an event.
      const filter = includeDeleted ? { source_id, created_at: { $ne: null } } : { source_id, exists: true };
      const cursor = collection
        .find(when === undefined ? filter : { $and: [filter, whenFilter(when)] })
        .sort({ starts_at: 1, _id: 1 })
        .limit(limit)
        .batchSize(LIST_BATCH);
      for await (const document of cursor) yield listedEvent(document);
    },
  };
}
