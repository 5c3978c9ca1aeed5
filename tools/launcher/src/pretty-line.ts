import { printable } from '@sluice/runtime/telemetry/printable';

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};
const HIDDEN = new Set(['level', 'time', 'pid', 'service', 'msg']);
const YELLOW = '\u001b[33m';
const RED = '\u001b[31m';
const PLAIN = '\u001b[0m';

export type LogRecord = Readonly<Record<string, unknown>> & { readonly level: number };

/** The log record in a line that a child process wrote; undefined where it is something else. */
export function parseLogLine(line: string): LogRecord | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const record: unknown = JSON.parse(line);
    return isLogRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

function isLogRecord(value: unknown): value is LogRecord {
  return typeof value === 'object' && value !== null && 'level' in value && typeof value.level === 'number';
}

/** pino's number of a level by its name. */
export function levelNumber(name: string): number {
  const entry = Object.entries(LEVELS).find(([, level]) => level === name);
  return entry === undefined ? Number.POSITIVE_INFINITY : Number(entry[0]);
}

/**
 * A log record as a person reads it: time, level, process, message, then its fields. This is our own code because
 * pino-pretty 13 writes fields as lines or as one JSON object, and brings 13 packages.
 */
export function prettyLine(name: string, record: LogRecord, colours: boolean): string {
  const level = LEVELS[record.level] ?? String(record.level);
  const fields = Object.entries(record).filter(([key]) => !HIDDEN.has(key));
  const rest = fields.map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const time = String(record.time ?? '').slice(11, 19);
  const parts = [time, level.toUpperCase().padEnd(5), name, record.msg, ...rest];
  const text = printable(parts.filter(Boolean).join(' '));
  if (!colours || record.level < levelNumber('warn')) return text;
  return `${record.level >= levelNumber('error') ? RED : YELLOW}${text}${PLAIN}`;
}
