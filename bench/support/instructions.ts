import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Instructions outside of the kernel. They hardly depend on what else the machine does, unlike CPU time. */
export const INSTRUCTIONS = 'instructions:u';

/** How often perf reports, and so the resolution of a count. Milliseconds. */
const EVERY_MS = 20;

/** Whether perf is installed and the processor counts an event. Virtual machines often count none. */
export async function countsEvent(event: string): Promise<boolean> {
  const counted = run('perf', ['stat', '-x,', '-e', event, process.execPath, '--version']);
  const { stderr } = await counted.catch(() => ({ stderr: '' }));
  return stderr.split('\n').some((line) => /^[\d.]+,/.test(line) && line.includes(event));
}

/** A running count of a process. */
export interface EventCount {
  /** The count so far. */
  read(): number;
  stop(): Promise<void>;
}

/** Counts an event in a process from now on, by perf. */
export function countEvent(pid: number, event: string): EventCount {
  const perf = spawn('perf', ['stat', '-x,', '-I', String(EVERY_MS), '-e', event, '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(perf, 'exit');
  let total = 0;
  createInterface({ input: perf.stderr }).on('line', (line) => {
    total += readCount(line);
  });
  return {
    read: () => total,
    async stop() {
      perf.kill('SIGINT');
      await ended;
    },
  };
}

/** The count of one interval, from a line such as `0.020,1234,,instructions:u,…`. 0 where perf has counted nothing. */
export function readCount(line: string): number {
  const count = Number(line.split(',')[1]);
  return Number.isFinite(count) ? count : 0;
}
