import type { Delivery } from '@sluice/contract/delivery';

/** The verbs of the store that logging actions needs. */
export interface DeliveryLog {
  insertDeliveries(rows: readonly Delivery[]): Promise<void>;
  replaceDelivery(row: Delivery): Promise<void>;
}
