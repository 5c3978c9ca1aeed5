import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { printableLines } from '@sluice/runtime/telemetry/printable';
import type { LogFile } from './log-file.ts';
import { levelNumber, parseLogLine, prettyLine } from './pretty-line.ts';

export interface OutputSettings {
  readonly write: (text: string) => void;
  /** True for a terminal with a person: log records become readable lines. */
  readonly tty: boolean;
  readonly colours: boolean;
  /** Records below this level go to the file only, so that the terminal keeps showing what matters. */
  readonly terminalLevel: string;
  readonly file: LogFile;
}

export interface Output {
  /** Writes a line of the launcher. */
  say(line: string): void;
  /** Writes the line of a process to the file, and to the terminal if it is severe enough or not a log record. */
  line(name: string, line: string): void;
  /** Reads all output of a child. */
  attach(name: string, child: ChildProcess): void;
}

/** Writes every line of the launcher and its children. Escapes characters that a terminal would act on. */
export function createOutput({ write, tty, colours, terminalLevel, file }: OutputSettings): Output {
  const threshold = levelNumber(terminalLevel);

  function line(name: string, raw: string): void {
    const text = printableLines(raw);
    file.write(text);
    const record = parseLogLine(text);
    if (record === undefined) write(`${name}: ${text}\n`);
    else if (record.level >= threshold) write(`${tty ? prettyLine(name, record, colours) : text}\n`);
  }

  return {
    say: (raw) => {
      const text = printableLines(raw);
      const time = new Date().toISOString();
      file.write(JSON.stringify({ level: levelNumber('info'), time, service: 'launcher', msg: text }));
      write(`sluice: ${text}\n`);
    },
    line,
    attach: (name, child) => {
      for (const stream of [child.stdout, child.stderr]) {
        if (stream !== null) createInterface({ input: stream }).on('line', (text) => line(name, text));
      }
    },
  };
}
