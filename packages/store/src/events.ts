import { type Connection, Schema } from 'mongoose';
import { connectedDb } from './connected-db.ts';
import type { StoreLogger } from './connection.ts';
import type { EventDocument, EventWrite, EventWriteResult } from './event-document.ts';
import { LIST_BATCH } from './list-batch.ts';
import { type ListedEvent, listedEvent } from './listed-event.ts';
import { type EventPortion, loadPortion } from './load-portion.ts';
import { nativeCollection } from './native-collection.ts';
import type { ServerKind } from './server-kind.ts';
import { writeEvents } from './write-events.ts';

export interface EventQuery {
  readonly source_id: string;
  /** Also those that were deleted, for as long as their tombstones are kept. */
  readonly includeDeleted?: boolean;
  readonly limit?: number;
}

export interface Events {
  /** The stored events of these ids as far as they fit into memory together: nearly always all, in one round trip. */
  loadPortion(ids: readonly string[]): Promise<EventPortion>;
  /** See write-events.ts. */
  writeEvents(writes: readonly EventWrite[]): Promise<EventWriteResult[]>;
  /** By `starts_at`, earliest first; read from the server as it is consumed. */
  listEvents(query: EventQuery): AsyncIterable<ListedEvent>;
}

/** Written and read as they are, past mongoose's casts: their types are in event-document.ts. */
function eventSchema() {
  return (
    new Schema<EventDocument>({ _id: String }, { strict: false, versionKey: false })
      .index({ source_id: 1, starts_at: 1, _id: 1 })
      // Of tombstones and markers alone: an engine that makes an entry for every new version of a document makes none here.
      .index(
        { expires_at: 1 },
        {
          name: 'expires_at_where_set',
          expireAfterSeconds: 0,
          partialFilterExpression: { expires_at: { $exists: true } },
        },
      )
  );
}

const REPLACED_ONE_BY_ONE =
  'mongodb refused to replace many events with one statement; each is replaced by itself, which costs the server more (bench/speed-tried.md)';

export interface EventsDeps {
  readonly serverKind: () => Promise<ServerKind>;
  readonly logger?: Pick<StoreLogger, 'warn'> | undefined;
}

export function createEvents(connection: Connection, { serverKind, logger }: EventsDeps): Events {
  const collection = nativeCollection(connection.model<EventDocument>('Event', eventSchema(), 'events'));
  let told = false;
  // Once: it is of the server's version, and so of every write.
  const onRefused = (reason: string): void => {
    if (!told) logger?.warn({ reason }, REPLACED_ONE_BY_ONE);
    told = true;
  };
  return {
    loadPortion: async (ids) => loadPortion(connectedDb(connection), collection.collectionName, ids),
    writeEvents: async (writes) => writeEvents(collection, { kind: await serverKind(), onRefused }, writes),
    async *listEvents({ source_id, includeDeleted = false, limit = 0 }) {
      // A marker that came before its event was never one: it has no first upsert.
      const filter = includeDeleted ? { source_id, created_at: { $ne: null } } : { source_id, exists: true };
      const cursor = collection
        .find(filter)
        .sort({ starts_at: 1, _id: 1 })
        .limit(limit)
        .batchSize(LIST_BATCH);
      for await (const document of cursor) yield listedEvent(document);
    },
  };
}
