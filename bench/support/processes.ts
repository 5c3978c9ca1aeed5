import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A measured process. */
export interface Measured {
  readonly url: string;
  readonly pid: number;
  /** Processor time that it has used so far, in seconds. */
  cpuSeconds(): Promise<number>;
  /** Memory that it holds now, in MiB. */
  rssMiB(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts one of bench/programs. */
export async function startProgram(name: string, env: Record<string, string>): Promise<Measured> {
  const child = fork(`${ROOT}bench/programs/${name}.ts`, {
    execArgv: ['--import', 'tsx', '--conditions=source'],
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return measured(child, url);
}

/** Starts a compiled service as operators run it, and resolves once it is ready. */
export async function startService(
  name: 'ingress' | 'worker',
  env: Record<string, string>,
): Promise<Measured> {
  const child = fork(`${ROOT}services/${name}/dist/main.js`, {
    execArgv: [],
    env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const admin = once(child, 'message') as Promise<[{ url: string }]>;
  const listening = firstLine(child, (line) => line.event === 'ingress.listening');
  const [{ url: adminUrl }] = await admin;
  for (let ready = false; !ready; ) {
    ready = await fetch(`${adminUrl}/readyz`).then((answer) => answer.status === 200);
    if (!ready) await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return measured(child, name === 'ingress' ? ((await listening).url as string) : adminUrl);
}

function firstLine(
  child: ChildProcess,
  wanted: (line: Record<string, unknown>) => boolean,
): Promise<Record<string, unknown>> {
  return new Promise((resolve) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (text) => {
      const line = JSON.parse(text) as Record<string, unknown>;
      if (wanted(line)) resolve(line);
      if ((line.level as number) >= 40) process.stderr.write(`${text}\n`);
    });
  });
}

/** Wraps a child process that is to be measured. */
export function measured(child: ChildProcess, url: string): Measured {
  const pid = child.pid as number;
  const exited = once(child, 'exit');
  return {
    url,
    pid,
    async cpuSeconds() {
      const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
      // Fields 14 and 15 of proc(5), in ticks of a hundredth of a second.
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
    async rssMiB() {
      const [, resident] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ');
      return (Number(resident) * 4096) / 1024 ** 2;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await exited;
    },
  };
}
