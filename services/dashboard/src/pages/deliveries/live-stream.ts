import type { LiveDeliveries } from '@sluice/dashboard-api/deliveries';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { urlOf } from '../../api/api-client.ts';

export type Connection = 'connecting' | 'live' | 'offline';

interface LiveStreamHandlers {
  readonly onDeliveries: (news: LiveDeliveries) => void;
  /** The stream reconnected, or skipped deliveries: the list may be incomplete. */
  readonly onGap: () => void;
  readonly onConnection: (connection: Connection) => void;
}

const RECONNECT_MS = 4000;

/**
 * Listens to a source's deliveries until it is closed. A browser reconnects automatically unless the server rejected
 * the request.
 */
export function openLiveStream(sourceId: string, handlers: LiveStreamHandlers): () => void {
  let stream: EventSource;
  let again: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    stream = new EventSource(urlOf(ROUTES.deliveries.live, {}, { source_id: sourceId }));
    stream.addEventListener('open', () => {
      handlers.onConnection('live');
      handlers.onGap();
    });
    stream.addEventListener('deliveries', (event) => handlers.onDeliveries(JSON.parse(event.data)));
    stream.addEventListener('missed', handlers.onGap);
    stream.addEventListener('error', () => {
      handlers.onConnection('offline');
      if (stream.readyState === EventSource.CLOSED) again = setTimeout(open, RECONNECT_MS);
    });
  };
  open();
  return () => {
    clearTimeout(again);
    stream.close();
  };
}
