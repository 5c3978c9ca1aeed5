import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '@sluice/contract/time/durations';
import mongoose from 'mongoose';
import { endWritesToClosedSockets } from './closed-sockets.ts';
import { explained, mongoRefusal, UnusableUrlError } from './mongo-refusal.ts';
import { createReminder } from './reminder.ts';

/** Logs changes of the connection, in pino's form. */
export interface StoreLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface ConnectionSettings {
  /** MongoDB's URL. Its path names the database; without a path, the namespace does. */
  readonly url: string;
  /** Name of this installation. Several installations can share one server. */
  readonly namespace: string;
  readonly logger?: StoreLogger;
  /** How long an operation waits for a server before it fails, in milliseconds. */
  readonly serverSelectionMs?: number;
}

export interface OpenConnection {
  readonly connection: mongoose.Connection;
  /** Resolves once connected. Rejects if the first attempt fails; further attempts continue in the background. */
  opened(): Promise<void>;
  close(): Promise<void>;
}

const SERVER_SELECTION_MS = 5 * SECOND_MS;
/** Delay between attempts to connect. Some fail immediately, such as a name that doesn't resolve. */
const RETRY_DELAY_MS = 1 * SECOND_MS;
/** Below the socket timeout, so that a missing majority is reported as such. */
const WRITE_CONCERN_MS = 10 * SECOND_MS;
/** A frozen server sends nothing. Without this timeout, an operation would wait forever. */
const SOCKET_MS = 20 * SECOND_MS;

/**
 * Connects to MongoDB, and retries while it is unavailable. Never throws for that reason.
 * Until the first connection every operation fails immediately. After it, the driver reconnects automatically.
 */
export function openConnection(settings: ConnectionSettings): OpenConnection {
  endWritesToClosedSockets();
  const { url, logger } = settings;
  const connection = mongoose.createConnection();
  // The errors also reject the attempt. An `error` event without a listener would end the process.
  connection.on('error', () => {});
  const closing = new AbortController();
  if (logger !== undefined) logChanges(connection, logger, closing.signal);
  const logFailure = logger === undefined ? () => {} : createFailureLogger(logger);

  async function attempt(): Promise<void> {
    try {
      await connection.openUri(primaryUrl(url), clientOptions(settings));
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
        logFailure(error as Error);
      }
      await sleep(RETRY_DELAY_MS, undefined, { signal: closing.signal }).catch(() => {});
      if (!closing.signal.aborted) latest = attempt();
    }
  }

  const first = attempt();
  const trying = keepTrying(first);
  // Callers of `opened` get the rejection. Without a caller it must not be unhandled.
  first.catch(() => {});

  return {
    connection,
    opened: () => first,
    close: async () => {
      closing.abort();
      // A connection that is still opening can't be closed. Closing its client fails the attempt instead.
      if (connection.readyState === mongoose.ConnectionStates.connecting)
        await connection.getClient()?.close();
      await trying;
      await connection.close();
    },
  };
}

/** Options of MongoDB's URL that send reads to other servers than the primary, in lower case. */
const READ_PREFERENCES = ['readpreference', 'readpreferencetags', 'maxstalenessseconds'];

/**
 * The URL without a read preference. Whether a key is revoked and which subscriptions there are must be read from the primary: a
 * secondary that lags accepts a revoked key, and hides a new subscription, whose messages would then be lost. It also lacks new
 * texts of messages, and still has erased ones.
 */
export function primaryUrl(url: string): string {
  const [address = '', query] = url.split(/\?(.*)/s);
  if (query === undefined) return url;
  const kept = query
    .split('&')
    .filter((option) => !READ_PREFERENCES.includes(option.split('=')[0]?.toLowerCase() ?? ''));
  return kept.length === 0 ? address : `${address}?${kept.join('&')}`;
}

/** The database in the URL's path, if it names one. The WHATWG parser isn't used because it rejects several hosts. */
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
    // The driver waits for a free connection without a limit by default.
    waitQueueTimeoutMS: SOCKET_MS,
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: WRITE_CONCERN_MS },
    // The driver retries writes only on servers with sessions (a replica set).
    retryWrites: true,
    // Stored texts were written as UTF-8. Validating them again is half the cost of reading an event.
    enableUtf8Validation: false,
  };
}

/** Logs why MongoDB is unreachable or refuses the connection. */
function createFailureLogger(logger: StoreLogger): (error: Error) => void {
  const isDue = createReminder();
  return (error) => {
    const refusal = mongoRefusal(error);
    const reason = refusal?.said ?? error.message;
    if (!isDue(reason)) return;
    if (refusal === undefined) return logger.warn({ reason }, 'MongoDB is unavailable; retrying');
    const [event, what] =
      error instanceof UnusableUrlError
        ? ['mongodb.unusable_url', "MONGO_URL can't be used"]
        : ['mongodb.refuses', 'MongoDB refuses the connection'];
    logger.error({ event, reason, advice: refusal.advice }, `${what}; retrying`);
  };
}

function logChanges(connection: mongoose.Connection, logger: StoreLogger, closing: AbortSignal): void {
  let wasConnected = false;
  connection.on('connected', () => {
    if (wasConnected) logger.info({}, 'MongoDB is available again');
    wasConnected = true;
  });
  connection.on('disconnected', () => {
    if (wasConnected && !closing.aborted) logger.warn({}, 'MongoDB is unavailable; reconnecting');
  });
}
