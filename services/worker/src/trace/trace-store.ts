import type { Attributes, Tracing } from '@sluice/runtime/telemetry/tracing/tracing';
import type { DeliveryLog, EventStore } from '../ports.ts';

/** The traced store operations: the round trips of a group. */
interface TracedStore {
  readonly events: EventStore;
  readonly deliveries: DeliveryLog;
}

/** Wraps each operation in a child span of its group's span. Each attempt has its own span. */
export function traceStore(store: TracedStore, tracing: Tracing | undefined): TracedStore {
  if (tracing === undefined) return store;
  const traced = roundTrips(tracing);
  const { events, deliveries } = store;
  return {
    events: {
      loadPortion: (ids) => traced('find', 'events', ids.length, () => events.loadPortion(ids)),
      writeEvents: (writes) => traced('bulkWrite', 'events', writes.length, () => events.writeEvents(writes)),
    },
    deliveries: {
      insertDeliveries: (rows) =>
        traced('insertMany', 'deliveries', rows.length, () => deliveries.insertDeliveries(rows)),
      replaceDelivery: (row) => traced('replaceOne', 'deliveries', 1, () => deliveries.replaceDelivery(row)),
    },
  };
}

type RoundTrip = <T>(
  operation: string,
  collection: string,
  size: number,
  run: () => Promise<T>,
) => Promise<T>;

function roundTrips(tracing: Tracing): RoundTrip {
  return async (operation, collection, size, run) => {
    const parent = tracing.current()?.traceparent;
    if (parent === undefined) return run();
    const attributes: Attributes = {
      'db.system.name': 'mongodb',
      'db.operation.name': operation,
      'db.collection.name': collection,
      'db.operation.batch.size': size,
    };
    const span = tracing.start(`${operation} ${collection}`, { kind: 'client', parent, attributes });
    try {
      return await run();
    } catch (error) {
      span.fail(error);
      throw error;
    } finally {
      span.end();
    }
  };
}
