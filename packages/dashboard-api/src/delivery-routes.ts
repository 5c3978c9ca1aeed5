import type * as D from './deliveries.ts';
import { route } from './route.ts';

/** The delivery log and reprocessing. */
export const DELIVERY_ROUTES = {
  list: route<{ query: D.DeliveryQuery; response: D.DeliveryPage }>('GET', '/deliveries', 'viewer'),
  /** Open pages ask every other second. */
  changes: route<{ query: D.DeliveryChangesQuery; response: D.DeliveryChanges }>(
    'GET',
    '/deliveries/changes',
    'viewer',
  ),
  /** A file instead of JSON: see `deliveryExport`. */
  export: route<{ query: D.DeliveryExport; response: null }>('GET', '/deliveries/export', 'viewer'),
  size: route<{ query: D.LogSizeQuery; response: D.LogSize }>('GET', '/deliveries/size', 'viewer'),
  count: route<{ query: D.DeliveryFilter; response: D.DeliveryCount }>('GET', '/deliveries/count', 'viewer'),
  /** Accepts a delivery id, or the request id of a rejected request: its sender knows only the request id. */
  show: route<{ params: 'deliveryId'; response: D.DeliveryDetail }>(
    'GET',
    '/deliveries/:deliveryId',
    'viewer',
  ),
  reprocess: route<{ params: 'deliveryId'; response: D.Reprocessed }>(
    'POST',
    '/deliveries/:deliveryId/reprocess',
    'admin',
    202,
  ),
  reprocessMatching: route<{ body: D.ReprocessMatching; response: D.ReprocessedMany }>(
    'POST',
    '/deliveries/reprocess',
    'admin',
    202,
  ),
} as const;
