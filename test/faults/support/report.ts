import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Test } from 'mocha';
import { LONG, seed, sized } from '../../support/size.ts';

const DATA = fileURLToPath(new URL('../../../data/', import.meta.url));
const COLUMNS = ['test', 'times', 'seen'] as const;
const size = sized({ short: 'short', middle: 'middle', long: 'long' });
/** A line per row. Its name contains the seed, so that a partial run does not overwrite a full one. */
const FILE = `${DATA}faults-${size}-${seed}.jsonl`;

let title = '';

/** Called before each test. */
export function noteBegin(test: Test | undefined): void {
  title = test?.fullTitle() ?? '';
}

/**
 * Adds a row to the table at the end of the run: what the current test has seen, and how often it caused its fault. Call it
 * before asserting: failures must appear in the table.
 */
export function report(seen: string, times = 1): void {
  mkdirSync(DATA, { recursive: true });
  appendFileSync(FILE, `${JSON.stringify({ test: title, times, seen })}\n`);
}

/** A long form lasts for minutes. It says on stderr how far it is. */
export function progress(done: string): void {
  if (LONG) process.stderr.write(`  ${new Date().toISOString().slice(11, 19)} ${done}\n`);
}

/** Called before a run. A run with the same seed has left its rows. */
export function clearReport(): void {
  rmSync(FILE, { force: true });
}

/** Called after a run: prints the table as Markdown, if it has rows. */
export function printReport(): void {
  if (!existsSync(FILE)) return;
  const rows = readFileSync(FILE, 'utf8').trim().split('\n');
  const lines = [
    COLUMNS.join(' | '),
    COLUMNS.map(() => '---').join(' | '),
    ...rows.map((row) => COLUMNS.map((column) => JSON.parse(row)[column]).join(' | ')),
  ];
  process.stdout.write(`\n${lines.map((line) => `| ${line} |\n`).join('')}\nfaults: ${size}, SEED=${seed}\n`);
}
