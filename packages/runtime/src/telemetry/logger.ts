import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';

export type { Logger };

/** What must never be read in a log, wherever a careless line puts it. */
const REDACTED = [
  'authorization',
  'x-service-signature',
  'secret',
  'signing_secret',
  'password',
  'key',
  'full_key',
];

/** At the top of a line, one object down, and in the headers of a request that was logged whole. */
const paths = REDACTED.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `req.headers["${name}"]`]);

export interface LoggerSettings {
  readonly service: string;
  readonly level: string;
  /** Where lines go; default: stdout. */
  readonly destination?: { write(line: string): void };
}

/** JSON lines, one per unit of work. Making them pretty is the business of whoever shows them. */
export function createLogger({ service, level, destination }: LoggerSettings): Logger {
  const options: LoggerOptions = {
    level,
    base: { service, pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    redact: { paths, censor: '[redacted]' },
    serializers: { err: sayError },
  };
  return pino(options, destination ?? stdout());
}

/**
 * What an error says of itself. What else libraries hang on one is data: the documents of a bulk write, with the bodies
 * kept of requests, or the arguments of a command of Redis, with its password.
 */
function sayError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { message, stack, cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  return {
    type: error.constructor.name,
    message,
    stack,
    code,
    cause: cause && sayError(cause),
    // Of several addresses each says why it could not be reached, and the whole says nothing.
    errors: error instanceof AggregateError ? error.errors.map(sayError) : undefined,
  };
}

/** Standard output, written at once: nothing is left in memory when the process ends. */
function stdout(): DestinationStream {
  const stream = pino.destination({ fd: 1, sync: true });
  // After `fatal`, pino calls this; with nobody left to read (a launcher that was killed) it would try for ever.
  stream.flushSync = () => {};
  stream.on('error', () => {
    stream.write = () => true;
  });
  return stream;
}
