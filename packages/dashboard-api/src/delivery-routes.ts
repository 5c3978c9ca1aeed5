import type {
  DeliveryChanges,
  DeliveryChangesQuery,
  DeliveryCount,
  DeliveryDetail,
  DeliveryExport,
  DeliveryFilter,
  DeliveryPage,
  DeliveryQuery,
  LogSize,
  LogSizeQuery,
  Reprocessed,
  ReprocessedMany,
  ReprocessMatching,
} from './deliveries.ts';
import { route } from './route.ts';

/** The delivery log and reprocessing. */
export const DELIVERY_ROUTES = {
  list: route<{ query: DeliveryQuery; response: DeliveryPage }>('GET', '/deliveries', 'viewer'),
  /** Open pages ask every other second. */
  changes: route<{ query: DeliveryChangesQuery; response: DeliveryChanges }>(
    'GET',
    '/deliveries/changes',
    'viewer',
  ),
  /** A file instead of JSON: see `deliveryExport`. */
  export: route<{ query: DeliveryExport; response: null }>('GET', '/deliveries/export', 'viewer'),
  size: route<{ query: LogSizeQuery; response: LogSize }>('GET', '/deliveries/size', 'viewer'),
  count: route<{ query: DeliveryFilter; response: DeliveryCount }>('GET', '/deliveries/count', 'viewer'),
  /** Accepts a delivery id, or the request id of a rejected request: its sender knows only the request id. */
  show: route<{ params: 'deliveryId'; response: DeliveryDetail }>('GET', '/deliveries/:deliveryId', 'viewer'),
  reprocess: route<{ params: 'deliveryId'; response: Reprocessed }>(
    'POST',
    '/deliveries/:deliveryId/reprocess',
    'admin',
    202,
  ),
  reprocessMatching: route<{ body: ReprocessMatching; response: ReprocessedMany }>(
    'POST',
    '/deliveries/reprocess',
    'admin',
    202,
  ),
} as const;
