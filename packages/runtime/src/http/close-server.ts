import type { Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { silentConnections } from './http-server.ts';
import { rememberLastResponse } from './last-response.ts';

export interface ClosingTimes {
  /** Milliseconds in which all requests are accepted, and each response closes its connection. */
  readonly drainMs: number;
  /** Milliseconds for requests that are under way after that. Then their connections are cut. */
  readonly finishMs: number;
}

export interface CloseServerSettings extends ClosingTimes {
  /** Called first. Stop here what answers without the server's `request` event. */
  readonly beginDraining?: () => void;
  /** Called between the two. End responses here that would never end, such as event streams. */
  readonly endStreams?: () => void;
}

/** The interval at which a closing server ends idle connections. */
const SWEEP_MS = 50;

/** How long a new connection may take to send its first request. Browsers open some without a request. */
const SILENT_MS = 1000;

/** The share of the grace period that is reserved for other releases, and its upper bound. */
const REST_SHARE = 1 / 4;
const REST_MS = 2500;

/** Divides the grace period. The drain time is at most half of it. */
export function closingTimes({ graceMs, drainMs }: { graceMs: number; drainMs: number }): ClosingTimes {
  const drain = Math.min(drainMs, graceMs / 2);
  return { drainMs: drain, finishMs: graceMs - drain - Math.min(REST_MS, graceMs * REST_SHARE) };
}

/**
 * Closes a server without a failed request. Load balancers learn late that a replica stops: Kubernetes informs them while it
 * sends SIGTERM. A sender may also use a kept-alive connection at the moment it is closed. So the server first drains:
 * it accepts every request, and each response has `Connection: close`. Senders then connect elsewhere, and connections that
 * remain open are idle. Resolves once every request under way is answered or its time is over.
 */
export async function closeServer(server: Server, settings: CloseServerSettings): Promise<void> {
  settings.beginDraining?.();
  server.prependListener('request', ({ socket }, response: ServerResponse) => {
    response.setHeader('connection', 'close');
    // Not earlier: requests before it on the same connection may not have begun.
    response.once('finish', () => rememberLastResponse(socket));
  });
  await sleep(settings.drainMs);
  settings.endStreams?.();
  await new Promise<void>((resolve) => {
    const startedAt = performance.now();
    // Node stops checking its timeouts when a server closes, so slow senders are ended here.
    const sweep = setInterval(() => {
      const waited = performance.now() - startedAt;
      server.closeIdleConnections();
      if (waited > SILENT_MS) for (const socket of silentConnections(server)) socket.destroy();
      if (waited > settings.finishMs) server.closeAllConnections();
    }, SWEEP_MS);
    server.close(() => {
      clearInterval(sweep);
      resolve();
    });
  });
}
