import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { seed, sized } from '../../support/size.ts';

/** What one fault test did, and what came of it. */
export interface Told {
  /** The guarantee, in a few words. */
  readonly test: string;
  /** What was done to the service, such as `SIGKILL of a worker`. */
  readonly done: string;
  /** How often. */
  readonly times: number;
  readonly asked: string;
  readonly seen: string;
}

const DATA = fileURLToPath(new URL('../../../data/', import.meta.url));
const COLUMNS = ['test', 'done', 'times', 'asked', 'seen'] as const;
const rows: Told[] = [];

/** Adds a row to the table at the end of the run. Call it before asserting: what went wrong belongs there most. */
export function tell({ test, done, times, asked, seen }: Told): void {
  rows.push({ test, done, times, asked, seen });
}

let failed = false;

/** After each test. What failed may have done so before it could tell of itself, and is run again from the seed. */
export function noteEnd(state: string | undefined): void {
  failed ||= state === 'failed';
}

/**
 * At the end of a run: prints the table as Markdown, and keeps it as JSON, under the seed's name so that a run of a part
 * leaves that of the whole alone. Silent where nothing was told and nothing failed.
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
