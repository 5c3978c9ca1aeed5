import { readdir, readFile } from 'node:fs/promises';

/** The sum of a figure over all processes whose command line matches, for programs that the bench did not start. */
export async function sumOfProcessesLike(
  pattern: RegExp,
  of: (pid: number) => Promise<number>,
): Promise<number> {
  const pids = await processesLike(pattern);
  // The parent's CPU time includes that of a process that has ended meanwhile.
  const figures = await Promise.all(pids.map((pid) => of(pid).catch(() => 0)));
  return figures.reduce((a, b) => a + b, 0);
}

async function processesLike(pattern: RegExp): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  // Linux separates the arguments with NUL. A pattern is written with the spaces of a shell.
  return pids.filter((pid, i) => pid !== process.pid && pattern.test((lines[i] ?? '').replaceAll('\0', ' ')));
}
