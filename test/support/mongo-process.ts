import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';

/** The embedded store as a process of its own, so that it can be killed. */
export interface MongoProcess {
  readonly url: string;
  /** Where it keeps its journal. */
  readonly dir: string;
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again on the same port with the same data; resolves when it is ready. */
  restart(): Promise<void>;
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

const MAIN = fileURLToPath(new URL('../../packages/embedded-mongodb/dist/main.js', import.meta.url));

/** With `from` it starts with a copy of that folder, such as a backup of another one's `dir`. */
export async function startMongo({ from }: { readonly from?: string } = {}): Promise<MongoProcess> {
  const dir = await mkdtemp(join(tmpdir(), 'sluice-mongodb-'));
  // The lock names the process that the copy was taken from.
  const filter = (path: string) => basename(path) !== 'lock';
  if (from !== undefined) await cp(from, dir, { recursive: true, filter });
  const port = await freePort();
  let child: ChildProcess;
  let stopped = false;
  async function start(): Promise<void> {
    // A test that was given up may still be about to start it again.
    if (stopped) throw new Error('this store was stopped for good');
    child = spawn(process.execPath, [MAIN, '--port', String(port), '--data-dir', dir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`the embedded store ended with ${code} before it was ready`);
    });
    ended.catch(() => {});
    await Promise.race([
      once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line'),
      ended,
    ]);
  }

  async function kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
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
    url: `mongodb://127.0.0.1:${port}`,
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
