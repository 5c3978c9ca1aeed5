import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** A real process with data on disk, of one test's own: it may be killed, frozen and started again. */
export interface KillableServer {
  readonly pid: number;
  /** Where it keeps its data. */
  readonly dir: string;
  /** Sends a signal (default SIGKILL) and waits for the end of the process. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again, on the same port with the same data, once it has ended; resolves when it is ready. */
  restart(): Promise<void>;
  /** Still connected, answers nothing. */
  freeze(): void;
  thaw(): void;
  /** Ends it and deletes its data. */
  stop(): Promise<void>;
}

export interface KillableServerSettings {
  /** Named in errors and in the name of its folder. */
  readonly name: string;
  /** A folder whose copy it starts with, such as a backup of another one's `dir`. Default: it starts empty. */
  readonly from?: string | undefined;
  readonly command: string;
  readonly args: (dir: string) => readonly string[];
  /** Resolves once it takes connections. Its standard output is a pipe. */
  readonly ready: (child: ChildProcess) => Promise<unknown>;
}

/** Starts it with its data in a new temporary folder. Rejects where it ends before it is ready; then nothing of it is left. */
export async function startKillable({
  name,
  from,
  command,
  args,
  ready,
}: KillableServerSettings): Promise<KillableServer> {
  const dir = await mkdtemp(join(tmpdir(), `sluice-${name}-`));
  // A lock names the process that the copy was taken from.
  const filter = (path: string) => basename(path) !== 'lock';
  if (from !== undefined) await cp(from, dir, { recursive: true, filter });
  let child: ChildProcess;
  let stopped = false;

  async function start(): Promise<void> {
    // A test that was given up may still be about to start it again.
    if (stopped) throw new Error(`this ${name} was stopped for good`);
    child = spawn(command, args(dir), { stdio: ['ignore', 'pipe', 'inherit'] });
    await Promise.race([ready(child), endedTooSoon(name, child)]).catch(async (error) => {
      await kill();
      throw error;
    });
    // What nobody reads would fill the pipe, and then the process waits.
    child.stdout?.resume();
  }

  async function kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    // A frozen process takes no signal but SIGKILL before it goes on.
    child.kill('SIGCONT');
    await ended;
  }

  async function stop(): Promise<void> {
    stopped = true;
    await kill();
    await rm(dir, { recursive: true, force: true });
  }

  await start().catch(async (error) => {
    await stop();
    throw error;
  });
  return {
    get pid() {
      return child.pid ?? 0;
    },
    dir,
    kill,
    async restart() {
      await kill('SIGTERM');
      await start();
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    stop,
  };
}

/** Rejects when the process ends; who has stopped waiting by then hears nothing of it. */
function endedTooSoon(name: string, child: ChildProcess): Promise<never> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${name} ended with ${code} before it was ready`);
  });
  ended.catch(() => {});
  return ended;
}
