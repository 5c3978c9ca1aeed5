import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LONG, seed, sized } from '../../support/size.ts';

/** One row of the report: a fault and its outcome. */
export interface ReportRow {
  /** The guarantee, in a few words. */
  readonly test: string;
  /** The fault, such as `SIGKILL of a worker`. */
  readonly done: string;
  /** How often the fault was caused. */
  readonly times: number;
  readonly asked: string;
  readonly seen: string;
}

const DATA = fileURLToPath(new URL('../../../data/', import.meta.url));
const COLUMNS = ['test', 'done', 'times', 'asked', 'seen'] as const;
const rows: ReportRow[] = [];

/** Adds a row to the table at the end of the run. Call it before asserting: failures must appear in the table. */
export function report({ test, done, times, asked, seen }: ReportRow): void {
  rows.push({ test, done, times, asked, seen });
}

/** A long form lasts for minutes. It says on stderr how far it is. */
export function progress(done: string): void {
  if (LONG) process.stderr.write(`  ${new Date().toISOString().slice(11, 19)} ${done}\n`);
}

let failed = false;

/** Called after each test. A failed test may have added no row, so its seed is printed for a repeat. */
export function noteEnd(state: string | undefined): void {
  failed ||= state === 'failed';
}

/**
 * At the end of a run: prints the table as Markdown and saves it as JSON. The file name contains the seed, so a partial
 * run does not overwrite a full one. Prints nothing if there are no rows and no failures.
 */
export function printReport(): void {
  if (rows.length === 0) {
    if (failed) process.stdout.write(`\nSEED=${seed} repeats what was random.\n`);
    return;
  }
  const size = sized({ short: 'short', middle: 'middle', long: 'long' });
  const lines = [
    COLUMNS.join(' | '),
    COLUMNS.map(() => '---').join(' | '),
    ...rows.map((row) => COLUMNS.map((column) => row[column]).join(' | ')),
  ];
  process.stdout.write(`\n${lines.map((line) => `| ${line} |\n`).join('')}\nfaults: ${size}, SEED=${seed}\n`);
  mkdirSync(DATA, { recursive: true });
  writeFileSync(`${DATA}faults-${size}-${seed}.json`, `${JSON.stringify({ size, seed, rows }, null, 2)}\n`);
}
