import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Context } from 'mocha';
import { runFolder } from './run-folder.ts';

/** Each worker of `mocha --parallel` adds a line per file to the file with this name. */
const TIMES = 'SLUICE_TEST_TIMES';
const NAMED = 15;
/** The unit of /proc/PID/stat on every Linux of today (`getconf CLK_TCK`). */
const TICKS_A_SECOND = 100;

interface Took {
  readonly file: string;
  readonly wall: number;
  readonly cpu: number;
}

let before = { wall: 0, cpu: 0 };

export function startTimes(): void {
  process.env[TIMES] = join(runFolder(), 'times');
}

/** A hook after the tests of a file: notes the seconds since the last file. */
export function noteFile(this: Context): void {
  const path = process.env[TIMES];
  if (path === undefined) return;
  const now = { wall: performance.now() / 1000, cpu: cpuSeconds(process.pid) };
  const file = this.test?.parent?.suites[0]?.file ?? '';
  const took: Took = { file, wall: now.wall - before.wall, cpu: now.cpu - before.cpu };
  appendFileSync(path, `${JSON.stringify(took)}\n`);
  before = now;
}

/** Notes the CPU time of processes that nobody waits for. */
export function noteKilled(pids: readonly number[]): void {
  const path = process.env[TIMES];
  if (path === undefined || process.env.MOCHA_WORKER_ID === undefined) return;
  const cpu = pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  if (pids.length > 0) appendFileSync(path, `${JSON.stringify({ file: '', wall: 0, cpu })}\n`);
}

/** A file that waits has little CPU time. */
export function printSlowestFiles(): void {
  const path = process.env[TIMES];
  if (path === undefined || !existsSync(path)) return;
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  const took = lines.map((line) => JSON.parse(line) as Took).sort((a, b) => b.wall - a.wall);
  process.stdout.write('\nthe slowest files:\n');
  for (const { file, wall, cpu } of took.filter(({ file }) => file !== '').slice(0, NAMED)) {
    const name = relative(process.cwd(), file);
    process.stdout.write(`  ${wall.toFixed(1)} s (${cpu.toFixed(1)} s CPU)  ${name}\n`);
  }
  const cpu = took.reduce((sum, one) => sum + one.cpu, 0);
  process.stdout.write(`all files: ${cpu.toFixed(0)} s CPU\n`);
}

/** The CPU time of a process and of those that it has started and that have ended, where /proc has it. */
function cpuSeconds(pid: number): number {
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const ticks = fields.split(' ').slice(11, 15);
    return ticks.reduce((sum, field) => sum + Number(field), 0) / TICKS_A_SECOND;
  } catch {
    return 0;
  }
}
