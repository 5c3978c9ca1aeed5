import type * as D from './deliveries.ts';
import { route } from './route.ts';

/** The delivery log, and doing deliveries again. */
export const DELIVERY_ROUTES = {
  list: route<{ query: D.DeliveryQuery; response: D.DeliveryPage }>('GET', '/deliveries', 'viewer'),
  /** Not JSON but server-sent events: see `liveDeliveries`. */
  live: route<{ query: D.LiveQuery; response: D.LiveDeliveries }>('GET', '/deliveries/live', 'viewer'),
  /** Not JSON but a file: see `deliveryExport`. */
  export: route<{ query: D.DeliveryExport; response: null }>('GET', '/deliveries/export', 'viewer'),
  size: route<{ query: D.LogSizeQuery; response: D.LogSize }>('GET', '/deliveries/size', 'viewer'),
  count: route<{ query: D.DeliveryFilter; response: D.DeliveryCount }>('GET', '/deliveries/count', 'viewer'),
  /** By its id, or a refusal by its request's: it is all that a refused sender has. */
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
