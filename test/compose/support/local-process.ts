import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from './root.ts';

export interface LocalCommand {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** How a process ended: its exit code, or the signal that ended it. */
export type End = number | NodeJS.Signals;

export interface LocalProcess {
  /** Its output so far, of both streams. */
  output(): string;
  /** Resolves when the process has ended. */
  readonly ended: Promise<End>;
  /** Sends a signal; SIGKILL follows after the grace period, as with containers. */
  stop(signal: NodeJS.Signals, graceMs: number): Promise<End>;
}

/** Starts a command in the folder that is /app in the images. It inherits only PATH from this process. */
export function startLocal({ argv: [command = '', ...args], env }: LocalCommand): LocalProcess {
  const path = `${ROOT}node_modules/.bin:${process.env.PATH ?? ''}`;
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { PATH: path, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as End);
  // A caller that waits for the end gets the error. Without one, it must not end the test process.
  ended.catch(() => undefined);
  return {
    output: () => text,
    ended,
    async stop(signal, graceMs) {
      child.kill(signal);
      const late = setTimeout(() => child.kill('SIGKILL'), graceMs);
      const end = await ended;
      clearTimeout(late);
      return end;
    },
  };
}

/** Runs a command until it ends. */
export async function runLocal(command: LocalCommand): Promise<{ end: End; output: string }> {
  const running = startLocal(command);
  return { end: await running.ended, output: running.output() };
}
