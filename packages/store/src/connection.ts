import { setTimeout as delay } from 'node:timers/promises';
import mongoose from 'mongoose';
import { endWritesToClosedSockets } from './closed-sockets.ts';
import { explained, mongoRefusal, UnusableUrlError } from './mongo-refusal.ts';

/** What the store says about its connection: pino's shape, or nothing at all. */
export interface StoreLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface ConnectionSettings {
  /** MongoDB's URL. The database is the one in its path, else the namespace. */
  readonly url: string;
  /** Name of this installation: several may share one server. */
  readonly namespace: string;
  readonly logger?: StoreLogger;
  /** How long an operation looks for a server before it fails, in milliseconds. */
  readonly serverSelectionMs?: number;
}

export interface OpenConnection {
  readonly connection: mongoose.Connection;
  /** Resolves once connected; rejects when the first attempt fails (later ones go on regardless). */
  opened(): Promise<void>;
  close(): Promise<void>;
}

const SECOND = 1000;
const SERVER_SELECTION_MS = 5 * SECOND;
/** Between attempts to connect that failed at once, such as a name that does not resolve. */
const RETRY_DELAY_MS = 1 * SECOND;
/** While they fail alike, one line each so often. */
const SAY_AGAIN_MS = 30 * SECOND;
/** A majority that cannot be reached is reported as such, well before the socket gives up. */
const WRITE_CONCERN_MS = 10 * SECOND;
/** A server that froze sends nothing: without this an operation would wait for ever. */
const SOCKET_MS = 20 * SECOND;

/**
 * Connects to MongoDB, and keeps trying where it is away: nothing here throws because of it.
 * Until connected every operation fails at once; afterwards the driver reconnects by itself.
 */
export function openConnection(settings: ConnectionSettings): OpenConnection {
  endWritesToClosedSockets();
  const { url, logger } = settings;
  const connection = mongoose.createConnection();
  // The errors also reject the attempt; an `error` event that nobody hears would end the process.
  connection.on('error', () => {});
  const closing = new AbortController();
  if (logger !== undefined) reportChanges(connection, logger, closing.signal);
  const sayAway = logger === undefined ? () => {} : createSayAway(logger);

  async function attempt(): Promise<void> {
    try {
      await connection.openUri(url, clientOptions(settings));
    } catch (error) {
      throw explained(error);
    }
  }

  async function keepTrying(first: Promise<void>): Promise<void> {
    let latest = first;
    while (!closing.signal.aborted) {
      try {
        return await latest;
      } catch (error) {
        if (closing.signal.aborted) return;
        sayAway(error as Error);
      }
      await delay(RETRY_DELAY_MS, undefined, { signal: closing.signal }).catch(() => {});
      if (!closing.signal.aborted) latest = attempt();
    }
  }

  const first = attempt();
  const trying = keepTrying(first);
  // Whoever asks gets the rejection; where nobody asks it is no news.
  first.catch(() => {});

  return {
    connection,
    opened: () => first,
    close: async () => {
      closing.abort();
      // A connection that is still being made cannot be closed, but its client can: that fails the attempt.
      if (connection.readyState === mongoose.ConnectionStates.connecting)
        await connection.getClient()?.close();
      await trying;
      await connection.close();
    },
  };
}

/** The database in the URL's path, if it names one. Not the WHATWG parser: it refuses several hosts. */
export function databaseOf(url: string): string | undefined {
  const path = /^mongodb(?:\+srv)?:\/\/[^/?]+\/([^/?]+)/.exec(url)?.[1];
  return path === undefined ? undefined : decodeURIComponent(path);
}

function clientOptions({ url, namespace, serverSelectionMs }: ConnectionSettings): mongoose.ConnectOptions {
  return {
    dbName: databaseOf(url) ?? namespace,
    appName: 'sluice',
    bufferCommands: false,
    autoIndex: false,
    autoCreate: false,
    serverSelectionTimeoutMS: serverSelectionMs ?? SERVER_SELECTION_MS,
    connectTimeoutMS: serverSelectionMs ?? SERVER_SELECTION_MS,
    socketTimeoutMS: SOCKET_MS,
    // Waiting for a free connection has no bound of its own.
    waitQueueTimeoutMS: SOCKET_MS,
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: WRITE_CONCERN_MS },
    // The driver uses them only where the server has sessions to retry in (a replica set).
    retryWrites: true,
    // What is stored was written as UTF-8. Looking at each character again is half of what it costs to read an event.
    enableUtf8Validation: false,
  };
}

/** Tells why MongoDB cannot be reached, or will not have us. Each reason is told at once, and then not for a while: two may take turns. */
function createSayAway(logger: StoreLogger): (error: Error) => void {
  const saidAt = new Map<string, number>();
  return (error) => {
    const refusal = mongoRefusal(error);
    const reason = refusal?.said ?? error.message;
    const at = performance.now();
    if (at - (saidAt.get(reason) ?? -Infinity) < SAY_AGAIN_MS) return;
    saidAt.set(reason, at);
    if (refusal === undefined) return logger.warn({ reason }, 'mongodb is away; trying again');
    const [event, what] =
      error instanceof UnusableUrlError
        ? ['mongodb.unusable_url', 'MONGO_URL cannot be used']
        : ['mongodb.refuses', 'mongodb refuses this connection'];
    logger.error({ event, reason, advice: refusal.advice }, `${what}; trying again`);
  };
}

function reportChanges(connection: mongoose.Connection, logger: StoreLogger, closing: AbortSignal): void {
  let wasConnected = false;
  connection.on('connected', () => {
    if (wasConnected) logger.info({}, 'mongodb is back');
    wasConnected = true;
  });
  connection.on('disconnected', () => {
    if (wasConnected && !closing.aborted) logger.warn({}, 'mongodb is away; reconnecting');
  });
}
