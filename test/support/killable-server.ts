import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { runFolder } from './run-folder.ts';

/** A real process with data on disk, for one test. It may be killed, frozen and restarted. */
export interface KillableServer {
  readonly pid: number;
  /** The folder of its data. */
  readonly dir: string;
  /** Sends a signal (default SIGKILL) and waits until the process has ended. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Restarts it on the same port with the same data, once it has ended. Resolves when it is ready. */
  restart(): Promise<void>;
  /** Stops its process by SIGSTOP: it stays connected and responds to nothing. */
  freeze(): void;
  thaw(): void;
  /** Ends it and deletes its data. */
  stop(): Promise<void>;
}

export interface KillableServerSettings {
  /** Used in errors and in the name of its folder. */
  readonly name: string;
  /** It starts with a copy of this folder, such as a backup of another server's `dir`. Default: it starts empty. */
  readonly from?: string | undefined;
  readonly command: string;
  readonly args: (dir: string) => readonly string[];
  /** Resolves once it accepts connections. Its standard output is a pipe. */
  readonly ready: (child: ChildProcess) => Promise<unknown>;
}

/**
 * Starts it with its data in a new temporary folder. If it ends before it is ready, this rejects and leaves nothing
 * behind.
 */
export async function startKillable({
  name,
  from,
  command,
  args,
  ready,
}: KillableServerSettings): Promise<KillableServer> {
  const dir = await mkdtemp(join(runFolder(), `sluice-${name}-`));
  // A lock names the process of the original folder.
  const filter = (path: string) => basename(path) !== 'lock';
  if (from !== undefined) await cp(from, dir, { recursive: true, filter });
  let child: ChildProcess;
  let stopped = false;

  async function start(): Promise<void> {
    // A test that has timed out may still be about to restart it.
    if (stopped) throw new Error(`this ${name} was stopped permanently`);
    child = spawn(command, args(dir), { stdio: ['ignore', 'pipe', 'inherit'] });
    await Promise.race([ready(child), endedTooSoon(name, child)]).catch(async (error) => {
      await kill();
      throw error;
    });
    // An unread pipe would fill up and block the process.
    child.stdout?.resume();
  }

  async function kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    // A frozen process receives no signal except SIGKILL until it continues.
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

/** Rejects when the process ends. A rejection after the wait is over is ignored. */
function endedTooSoon(name: string, child: ChildProcess): Promise<never> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${name} ended with ${code} before it was ready`);
  });
  ended.catch(() => {});
  return ended;
}
