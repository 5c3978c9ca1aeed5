import type { DeliveryLog } from '../delivery-log/delivery-log.ts';
import type { EventStore } from '../event-store.ts';
import type { WaitOut } from './wait-out.ts';

/** The same verbs, which do not fail while MongoDB is away but wait for it. Each bears being run twice. */
export function patientEvents(events: EventStore, waitOut: WaitOut): EventStore {
  return {
    loadPortion: (ids) => waitOut.run(() => events.loadPortion(ids)),
    writeEvents: (writes) => waitOut.run(() => events.writeEvents(writes)),
  };
}

/** The same verbs, which do not fail while MongoDB is away but wait for it. Each bears being run twice. */
export function patientLog(log: DeliveryLog, waitOut: WaitOut): DeliveryLog {
  return {
    insertDeliveries: (rows) => waitOut.run(() => log.insertDeliveries(rows)),
    replaceDelivery: (row) => waitOut.run(() => log.replaceDelivery(row)),
  };
}
