import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { printableLines } from '@sluice/runtime/telemetry/printable';
import type { LogFile } from './log-file.ts';
import { levelNumber, parseLogLine, prettyLine } from './pretty-line.ts';

export interface OutputSettings {
  readonly write: (text: string) => void;
  /** A person looks on: log records become readable lines. */
  readonly tty: boolean;
  readonly colours: boolean;
  /** Records below this level go to the file only, so that the terminal keeps showing what matters. */
  readonly terminalLevel: string;
  readonly file: LogFile;
}

export interface Output {
  /** A line of the launcher itself. */
  say(line: string): void;
  /** A line that a process wrote: to the file, and to the terminal when it is severe enough or no log record. */
  line(name: string, line: string): void;
  /** Takes in all that a child writes. */
  attach(name: string, child: ChildProcess): void;
}

/** Where every line of the launcher and its children goes. Characters that a terminal would act on are escaped. */
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
