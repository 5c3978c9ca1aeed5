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
import { get, io, post } from './route.ts';

/** The delivery log and reprocessing. */
export const DELIVERY_ROUTES = {
  list: get('/deliveries', 'viewer', io<{ query: DeliveryQuery; response: DeliveryPage }>()),
  /** Open pages ask every other second. */
  changes: get(
    '/deliveries/changes',
    'viewer',
    io<{ query: DeliveryChangesQuery; response: DeliveryChanges }>(),
  ),
  /** A file instead of JSON: see `deliveryExport`. */
  export: get('/deliveries/export', 'viewer', io<{ query: DeliveryExport; response: null }>()),
  size: get('/deliveries/size', 'viewer', io<{ query: LogSizeQuery; response: LogSize }>()),
  count: get('/deliveries/count', 'viewer', io<{ query: DeliveryFilter; response: DeliveryCount }>()),
  /** Accepts a delivery id, or the request id of a rejected request: its sender knows only the request id. */
  show: get('/deliveries/:deliveryId', 'viewer', io<{ response: DeliveryDetail }>()),
  reprocess: post('/deliveries/:deliveryId/reprocess', 'admin', io<{ response: Reprocessed }>(), 202),
  reprocessMatching: post(
    '/deliveries/reprocess',
    'admin',
    io<{ body: ReprocessMatching; response: ReprocessedMany }>(),
    202,
  ),
} as const;
