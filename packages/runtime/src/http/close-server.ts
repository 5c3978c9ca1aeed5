import type { Server, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { silentConnections } from './http-server.ts';
import { rememberLastResponse } from './last-response.ts';

export interface ClosingTimes {
  /** Milliseconds for which everything is still taken, and each answer asks for the end of its connection. */
  readonly drainMs: number;
  /** Milliseconds for what is under way after that; then its connection is cut. */
  readonly finishMs: number;
}

export interface CloseServerSettings extends ClosingTimes {
  /** Called first: the place to leave off whatever answers without the server's `request` event. */
  readonly beginDraining?: () => void;
  /** Called between the two: the place to end answers that would never end by themselves. */
  readonly endStreams?: () => void;
}

/** While the server closes, connections that have fallen idle are ended this often. */
const SWEEP_MS = 50;

/** A connection that was just made has this long to send the request it was made for (browsers make some for none). */
const SILENT_MS = 1000;

/** Of the grace period, what is kept for all else that has to be released. */
const REST_SHARE = 1 / 4;
const REST_MS = 2500;

/** Divides the grace period. A drain time of more than half of it is cut. */
export function closingTimes({ graceMs, drainMs }: { graceMs: number; drainMs: number }): ClosingTimes {
  const drain = Math.min(drainMs, graceMs / 2);
  return { drainMs: drain, finishMs: graceMs - drain - Math.min(REST_MS, graceMs * REST_SHARE) };
}

/**
 * Ends a server without a failed request. Load balancers learn late that a replica goes (Kubernetes tells them while it
 * sends SIGTERM), and a sender may use a kept-alive connection in the moment in which it is ended. So for a while
 * everything is taken as ever, but each answer carries Connection: close: whoever sends goes elsewhere, and what is still
 * open after that is idle. Resolves once every request under way is answered, or had its time.
 */
export async function closeServer(server: Server, settings: CloseServerSettings): Promise<void> {
  settings.beginDraining?.();
  server.prependListener('request', ({ socket }, response: ServerResponse) => {
    response.setHeader('connection', 'close');
    // Only now: requests before it on the same connection may not have begun yet.
    response.once('finish', () => rememberLastResponse(socket));
  });
  await pause(settings.drainMs);
  settings.endStreams?.();
  await new Promise<void>((resolve) => {
    const startedAt = performance.now();
    // Node stops looking at its time-outs when a server closes: from here on slow senders are ours to end.
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
