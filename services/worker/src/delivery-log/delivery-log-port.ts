import type { Delivery } from '@sluice/contract/delivery/delivery';

/** The store operations for logging deliveries. */
export interface DeliveryLog {
  insertDeliveries(rows: readonly Delivery[]): Promise<void>;
  replaceDelivery(row: Delivery): Promise<void>;
}
