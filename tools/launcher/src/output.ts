import type { ChildProcess } from 'node:child_process';
import { closeSync, createWriteStream, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { printable, printableLines } from '@sluice/runtime/telemetry/printable';
import { prettyFactory } from 'pino-pretty';

/** pino's numbers of its levels. */
const LEVELS: Readonly<Record<string, number>> = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
};

/** The path of the log of all services. */
export function servicesLogPath(dataDir: string): string {
  return join(dataDir, 'logs', 'services.log');
}

/** Opens a log for more lines. Throws where it cannot, such as for want of permission. */
function openLog(path: string): number {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return openSync(path, 'a', 0o600);
}

/** Throws where lines cannot be appended to the file. */
export function assertAppendable(path: string): void {
  closeSync(openLog(path));
}

export interface OutputSettings {
  readonly write: (text: string) => void;
  /** True for a terminal with a person: log records become readable lines. */
  readonly tty: boolean;
  /** Records below this level go to the file only, so that the terminal keeps showing what matters. */
  readonly terminalLevel: string;
  readonly logPath: string;
}

export interface Output {
  /** Writes a line of the launcher. */
  say(line: string): void;
  /** Writes the line of a process to the file, and to the terminal if it is severe enough or not a log record. */
  line(name: string, line: string): void;
  /** Reads all output of a child. */
  attach(name: string, child: ChildProcess): void;
  /** Resolves once the file has every line. */
  close(): Promise<void>;
}

/** Writes every line of the launcher and its children. Escapes characters that a terminal would act on. */
export function createOutput({ write, tty, terminalLevel, logPath }: OutputSettings): Output {
  const threshold = LEVELS[terminalLevel] ?? Number.POSITIVE_INFINITY;
  const file = createWriteStream(logPath, { fd: openLog(logPath) });
  // A full disk must not stop the services: they go on, unlogged.
  file.on('error', () => {});

  function line(name: string, raw: string): void {
    const text = printableLines(raw);
    file.write(`${text}\n`);
    const record = parseLogLine(text);
    if (record === undefined) write(`${name}: ${text}\n`);
    else if (record.level >= threshold) write(`${tty ? readable(name, record) : text}\n`);
  }

  return {
    say: (raw) => {
      const text = printableLines(raw);
      const time = new Date().toISOString();
      file.write(`${JSON.stringify({ level: LEVELS.info, time, service: 'launcher', msg: text })}\n`);
      write(`sluice: ${text}\n`);
    },
    line,
    attach: (name, child) => {
      for (const stream of [child.stdout, child.stderr]) {
        if (stream !== null) createInterface({ input: stream }).on('line', (text) => line(name, text));
      }
    },
    close: () => new Promise((resolve) => file.end(() => resolve())),
  };
}

type LogRecord = Readonly<Record<string, unknown>> & { readonly level: number };

/** The log record in a line that a child process wrote; undefined where it is something else. */
function parseLogLine(line: string): LogRecord | undefined {
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

const pretty = prettyFactory({
  colorize: false,
  singleLine: true,
  translateTime: 'SYS:HH:MM:ss',
  ignore: 'pid,hostname,service,process',
  messageFormat: '{process} {msg}',
  errorLikeObjectKeys: [],
});

/** A log record as one line for a person. A sender's text may be in its fields, so all of it is escaped. */
function readable(process: string, record: LogRecord): string {
  return printable(pretty({ ...record, process }).trimEnd());
}
