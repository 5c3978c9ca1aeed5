import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
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
  /** Current RSS. MiB. */
  rssMiB(): Promise<number>;
  /** Sends SIGTERM and waits for its end. */
  end(): Promise<void>;
  /** Kills it at once. */
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
  for (const child of living) {
    child.kill('SIGCONT');
    child.kill('SIGKILL');
  }
}
process.on('exit', killAll);

/** Starts one of bench/programs. */
export async function startProgram(
  name: string,
  env: Record<string, string>,
  execArgv: readonly string[] = [],
): Promise<MeasuredProgram> {
  const child = fork(`${ROOT}bench/programs/${name}.ts`, {
    execArgv: [...execArgv, '--import', 'tsx', '--conditions=source'],
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

/** Starts a bundled service as operators run it. Resolves once it is ready. `root`: the checkout of the bundle, with a slash. */
export async function startService(
  name: 'ingress' | 'worker' | 'dispatcher' | 'api',
  env: Record<string, string>,
  execArgv: readonly string[] = [],
  root: string = ROOT,
): Promise<MeasuredService> {
  const child = fork(`${root}services/${name}/dist/main.js`, {
    execArgv: [...execArgv],
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
  const endBy = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGCONT');
    child.kill(signal);
    await exited;
  };
  return {
    url,
    pid,
    cpuSeconds: () => cpuSecondsOf(pid),
    rssMiB: () => rssMiBOf(pid),
    end: () => endBy('SIGTERM'),
    stop: () => endBy('SIGKILL'),
  };
}

/** CPU time of a process so far, including its ended children. Seconds. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  // Fields 14 to 17 of proc(5), in ticks of a hundredth of a second.
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

/** RSS of a process. MiB. */
export async function rssMiBOf(pid: number): Promise<number> {
  const [, resident] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ');
  return (Number(resident) * 4096) / 1024 ** 2;
}
