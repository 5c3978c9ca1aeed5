import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../../tools/embedded-mongodb/src/main.ts', import.meta.url));

/** A server in a separate process. */
export interface ServerProcess {
  readonly child: ChildProcess;
  readonly url: string;
  /** Its output on standard error so far. */
  readonly log: () => string;
  /** Sends the signal and waits for the exit. Returns the exit code, or null if the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** The end of a process that never became ready. */
export interface FailedStart {
  readonly code: number | null;
  readonly log: string;
}

/**
 * Starts `main.ts` on a free port. Resolves when it reports that it is ready, or has ended. Arguments that start with
 * `--max-old-space-size` go to Node.
 */
export async function startProcess(
  dataDir: string,
  ...options: string[]
): Promise<ServerProcess | FailedStart> {
  const ofNode = options.filter(isNodeOption);
  const own = options.filter((option) => !isNodeOption(option));
  const child = spawn(
    process.execPath,
    [...ofNode, '--import', 'tsx', '--conditions=source', MAIN, '--port', '0', '--data-dir', dataDir, ...own],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const closed = once(child, 'close') as Promise<[number | null]>;
  const ready = await Promise.race([
    once(child.stdout.setEncoding('utf8'), 'data').then(
      ([line]) => JSON.parse(String(line)) as { url: string },
    ),
    closed.then(() => null),
  ]);
  if (!ready) return { code: child.exitCode, log };
  return {
    child,
    url: ready.url,
    log: () => log,
    async end(signal) {
      child.kill(signal);
      const [code] = await closed;
      return code;
    },
  };
}

function isNodeOption(option: string): boolean {
  return option.startsWith('--max-old-space-size=');
}

/** Starts processes that are killed after the test. */
export function useProcesses() {
  const running: ServerProcess[] = [];
  afterEach(async () => {
    for (const { child, end } of running.splice(0))
      if (child.exitCode === null && child.signalCode === null) await end('SIGKILL');
  });
  return async (dataDir: string, ...options: string[]): Promise<ServerProcess> => {
    const started = await startProcess(dataDir, ...options);
    if (!('child' in started)) throw new Error(`the server did not start: ${started.log}`);
    running.push(started);
    return started;
  };
}
