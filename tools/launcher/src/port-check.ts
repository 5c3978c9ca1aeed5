import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { whyNotListening } from '@sluice/runtime/http/listen';

/** Binds and releases a port. Rejects with a message that names the variable if the port is in use. Port 0: any free port. */
export async function claimablePort({
  port,
  host,
  variable,
}: {
  port: number;
  host: string;
  variable: string;
}): Promise<number> {
  const server = createServer();
  server.listen({ port, host, exclusive: true });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw whyNotListening(error as NodeJS.ErrnoException, { port, host, variable });
  }
  const taken = (server.address() as AddressInfo).port;
  server.close();
  await once(server, 'close');
  return taken;
}

const POLL_MS = 50;

/** Resolves once something accepts connections on a local port; rejects when the signal aborts. */
export async function acceptsConnections(port: number, signal: AbortSignal): Promise<void> {
  while (!(await connects(port))) await sleep(POLL_MS, undefined, { signal });
}

function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
