import { type Logger, type LoggerOptions, pino } from 'pino';
import { hideSecrets } from './hide-secrets.ts';
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
