import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The root of this checkout, with a slash. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A measured process. */
export interface Measured {
  readonly url: string;
  readonly pid: number;
  /** CPU time so far. Seconds. */
  cpuSeconds(): Promise<number>;
  /** Kills it and waits for its end. */
  stop(): Promise<void>;
}

/** A service with the address of its probes and metrics. */
export interface MeasuredService extends Measured {
  readonly adminUrl: string;
}

/** A program of bench/programs, which exchanges messages with us. */
export interface MeasuredProgram extends Measured {
  readonly child: ChildProcess;
}

const living = new Set<ChildProcess>();

/** Kills every started process that still runs, so that none is left behind when the bench ends. */
export function killAll(): void {
  for (const child of living) child.kill('SIGKILL');
}
process.on('exit', killAll);

/** Starts one of bench/programs. */
export async function startProgram(name: string, env: Record<string, string>): Promise<MeasuredProgram> {
  const child = fork(`${ROOT}bench/programs/${name}.ts`, {
    execArgv: ['--import', 'tsx', '--conditions=source'],
    env: { PATH: process.env.PATH ?? '', ...env },
    serialization: 'advanced',
  });
  const running = measured(child, '');
  const [{ url }] = (await orEnded(name, child, (signal) => once(child, 'message', { signal }))) as [
    { url: string },
  ];
  return { ...running, url, child };
}

/** Number of applied actions that a worker of bench/programs has reported. */
export function countOf({ child }: MeasuredProgram): () => number {
  let count = 0;
  child.on('message', (message: { applied: number }) => {
    count = message.applied;
  });
  return () => count;
}

const READY_WITHIN_MS = 60_000;

/** Starts a bundled service as operators run it. Resolves once it is ready. */
export async function startService(
  name: 'ingress' | 'worker' | 'dispatcher' | 'api',
  env: Record<string, string>,
): Promise<MeasuredService> {
  const child = fork(`${ROOT}services/${name}/dist/main.js`, {
    execArgv: [],
    env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'info', ...flagsOfNode(), ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const running = measured(child, '');
  const admin = once(child, 'message') as Promise<[{ url: string }]>;
  const listening = firstLine(child, (line) => line.event === `${name}.listening`);
  const [{ url: adminUrl }] = await orEnded(name, child, () => admin);
  for (const since = Date.now(); ; await sleep(50)) {
    const answer = await fetch(`${adminUrl}/readyz`);
    if (answer.status === 200) break;
    if (Date.now() - since > READY_WITHIN_MS) throw new Error(`${name} is not ready: ${await answer.text()}`);
  }
  return {
    ...running,
    adminUrl,
    url: name === 'worker' || name === 'dispatcher' ? adminUrl : ((await listening).url as string),
  };
}

/** Flags that are tried, for every process that is measured. */
function flagsOfNode(): Record<string, string> {
  const { NODE_OPTIONS } = process.env;
  return NODE_OPTIONS === undefined ? {} : { NODE_OPTIONS };
}

function firstLine(
  child: ChildProcess,
  wanted: (line: Record<string, unknown>) => boolean,
): Promise<Record<string, unknown>> {
  return new Promise((resolve) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (text) => {
      const line = JSON.parse(text) as Record<string, unknown>;
      if (wanted(line)) resolve(line);
      if ((line.level as number) >= 50) process.stderr.write(`${text}\n`);
    });
  });
}

/** Waits for a result of a process. Rejects if the process ends first. Removes its listeners afterwards. */
export async function orEnded<T>(
  name: string,
  child: ChildProcess,
  awaited: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const ended = once(child, 'exit', { signal: over.signal }).then(([code, signal]) => {
    throw new Error(`${name} ended with ${code ?? signal} while it was waited for`);
  });
  const said = awaited(over.signal);
  // Cancel the one that lost.
  for (const either of [ended, said]) either.catch(() => {});
  try {
    return await Promise.race([said, ended]);
  } finally {
    over.abort();
  }
}

/** Wraps a child process for measuring. */
export function measured(child: ChildProcess, url: string): Measured {
  const pid = child.pid as number;
  living.add(child);
  const exited = once(child, 'exit').then(() => living.delete(child));
  return {
    url,
    pid,
    cpuSeconds: () => cpuSecondsOf(pid),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** CPU time of a process so far, including its ended children. Seconds. */
async function cpuSecondsOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  // Fields 14 to 17 of proc(5), in ticks of a hundredth of a second.
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

/** CPU time of all processes whose command line matches, for programs that the bench did not start. Seconds. */
export async function cpuSecondsLike(pattern: RegExp): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const seconds = pids.map(async (pid) => {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    // Linux separates the arguments with NUL. A pattern is written with the spaces of a shell.
    if (pid === process.pid || !pattern.test(line.replaceAll('\0', ' '))) return 0;
    // The parent's CPU time includes that of a process that has ended meanwhile.
    return cpuSecondsOf(pid).catch(() => 0);
  });
  return (await Promise.all(seconds)).reduce((a, b) => a + b, 0);
}
