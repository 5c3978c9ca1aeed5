import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createCursors } from './commands/cursors.ts';
import { dispatch } from './commands/dispatch.ts';
import { startExpiry } from './expiry/expiry.ts';
import { openStore, type Store, type StoreOptions } from './journal/store.ts';
import { type Answer, serveConnection } from './wire/connection.ts';

export interface ServerOptions extends StoreOptions {
  /** Default: 0, which means any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Time between two sweeps for expired documents. Default: a minute, as in MongoDB. */
  readonly expirySweepMilliseconds?: number;
  readonly now?: () => number;
}

/** A running server. */
export interface RunningServer {
  readonly port: number;
  /** The connection string for mongoose and the driver. */
  readonly url: string;
  /** Rejects new work, writes the rest, releases folder and port. Idempotent. */
  close(): Promise<void>;
}

const MINUTE = 60_000;

/** Starts a server. Resolves when it listens. Rejects if the port, the folder or its journal is not usable. */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const { port = 0, host = '127.0.0.1', expirySweepMilliseconds = MINUTE, now = Date.now } = options;
  const log = options.log ?? (() => {});
  const store = await openStore({ ...options, log });
  const sockets = new Set<Socket>();
  const answer = answerFrom(store, { now, log });
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serveConnection({
      socket,
      answer,
      onRefused: (reason) => log(`Closed a connection: ${reason}.`),
    });
  });
  try {
    await listen(server, port, host);
  } catch (error) {
    await store.close();
    throw error;
  }
  const expiry = startExpiry({
    catalog: store.catalog,
    safe: store.safe,
    now,
    log,
    every: expirySweepMilliseconds,
  });

  async function close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    for (const socket of sockets) socket.destroy();
    await closed;
    await expiry.stop();
    await store.close();
  }

  const actualPort = (server.address() as AddressInfo).port;
  let closing: Promise<void> | undefined;
  return {
    port: actualPort,
    url: `mongodb://${host}:${actualPort}`,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
}

/** Runs commands on the store. Each reply waits until its changes are durable. */
function answerFrom(
  store: Store,
  { now, log }: { now: () => number; log: (message: string) => void },
): Answer {
  const deps = {
    catalog: store.catalog,
    cursors: createCursors({ now }),
    now,
    safe: store.safe,
    onBug: (error: unknown, command: string) => {
      const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log(`${command} failed: ${what}`);
    },
  };
  return (message) => dispatch(message, deps);
}
