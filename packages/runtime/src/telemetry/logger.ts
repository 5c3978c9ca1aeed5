import { format } from 'node:util';
import { type Logger, type LoggerOptions, pino } from 'pino';
import { createTurnWriter, type TurnWriter } from './turn-writer.ts';

export type { Logger };

export interface LoggerSettings {
  readonly service: string;
  readonly level: string;
  /** The destination of the lines. Default: stdout. */
  readonly destination?: { write(line: string): void };
}

/** Writes JSON lines, one for each unit of work. A viewer may format them. */
export function createLogger({ service, level, destination }: LoggerSettings): Logger {
  const options: LoggerOptions = {
    level,
    base: { service, pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { log: hideSecrets },
    serializers: { err: describeError },
  };
  return pino(options, destination ?? stdout(service));
}

/**
 * Logs only the known fields of an error. Libraries attach data to errors: the documents of a bulk write, with the stored
 * bodies of requests, or the arguments of a Redis command, with its password.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { message, stack, cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  return {
    type: error.constructor.name,
    message,
    stack,
    code,
    cause: cause && describeError(cause),
    // With several addresses, each inner error has a reason, and the outer message has none.
    errors: error instanceof AggregateError ? error.errors.map(describeError) : undefined,
  };
}

let shared: TurnWriter | undefined;

/** The one writer to stdout of this process, so that lines of two loggers never mix. It writes the rest when the process exits. */
function stdout(service: string): TurnWriter {
  if (shared !== undefined) return shared;
  // Node makes a pipe or socket non-blocking when its stream is first used. A blocking one would stop the process while its reader is late.
  void process.stdout;
  const writer = createTurnWriter(1, (lines) => {
    const line = { level: 40, time: new Date().toISOString(), service, pid: process.pid };
    return `${JSON.stringify({ ...line, event: 'log.dropped', lines, msg: 'the reader of the log was too late' })}\n`;
  });
  process.once('exit', () => writer.flushSync());
  shared = writer;
  return writer;
}

/** Fields that must never appear in a log, even after a careless log call. */
const SECRET_FIELDS = [
  'authorization',
  'x-service-signature',
  'secret',
  'signing_secret',
  'password',
  'key',
  'full_key',
];
const HIDDEN = '[redacted]';

type Fields = Record<string, unknown>;

/**
 * The fields of a log line without secrets: at the top level, one level below, and in the headers of a request that is logged
 * whole. pino's own `redact` parses its paths for each line, which costs more than the rest of the line.
 */
function hideSecrets(fields: Fields): Fields {
  let hidden = withoutSecrets(fields);
  for (const [name, value] of Object.entries(hidden)) {
    if (!isObject(value)) continue;
    const inner = withoutSecrets(name === 'req' ? withoutSecretHeaders(value) : value);
    if (inner !== value) hidden = { ...hidden, [name]: inner };
  }
  return hidden;
}

function withoutSecretHeaders(request: Fields): Fields {
  const { headers } = request;
  return isObject(headers) ? { ...request, headers: withoutSecrets(headers) } : request;
}

/** A copy if there is a secret. */
function withoutSecrets(fields: Fields): Fields {
  const found = SECRET_FIELDS.filter((name) => name in fields);
  if (found.length === 0) return fields;
  return { ...fields, ...Object.fromEntries(found.map((name) => [name, HIDDEN])) };
}

/** An error is logged by its known fields only (logger.ts), and its copy would be no error. */
function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !(value instanceof Error);
}

/** The most different messages to log. Libraries have few. */
const MOST = 100;

/**
 * Logs what libraries write with `console.warn` and `console.error`, each message once. ioredis and BullMQ write plain text at
 * every reconnect, and a reader of JSON lines could not parse it.
 */
export function logConsole(logger: Logger, written: Pick<Console, 'warn' | 'error'> = console): void {
  const seen = new Set<string>();
  const log = (...args: unknown[]) => {
    const text = format(...args);
    if (seen.has(text) || seen.size >= MOST) return;
    seen.add(text);
    logger.warn({ event: 'library.warning' }, text);
  };
  written.warn = log;
  written.error = log;
}
