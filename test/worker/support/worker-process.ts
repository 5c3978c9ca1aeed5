import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { AdminReport } from '@sluice/runtime/http/admin-server';
import { until } from '../../support/until.ts';

const MAIN = new URL('../../../services/worker/dist/main.js', import.meta.url).pathname;

/** A real worker process, started from its bundle as in production. */
export interface WorkerProcess {
  readonly child: ChildProcess;
  readonly adminUrl: string;
  /** Resolves when /readyz returns 200. */
  ready(): Promise<void>;
  /** The parsed log lines so far. */
  readonly lines: readonly Record<string, unknown>[];
  /** Sends a signal. Resolves to the exit code; null if the signal ended the process. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts a worker with this environment in addition to the environment of the tests. */
export async function startWorkerProcess(env: Record<string, string>): Promise<WorkerProcess> {
  const child = fork(MAIN, {
    // Without the loaders of the tests.
    execArgv: [],
    env: { ...process.env, WORKER_ADMIN_PORT: '0', LOG_LEVEL: 'debug', ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const lines: Record<string, unknown>[] = [];
  collectLines(child, lines);
  const [report] = (await Promise.race([once(child, 'message'), failOnExit(child, lines)])) as [AdminReport];
  const readyz = async () => (await fetch(`${report.url}/readyz`)).status === 200;
  return {
    child,
    adminUrl: report.url,
    lines,
    ready: () => until(readyz, { what: 'the worker is ready' }),
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = once(child, 'exit');
      child.kill(signal);
      const [code] = (await ended) as [number | null];
      return code;
    },
  };
}

function collectLines(child: ChildProcess, lines: Record<string, unknown>[]): void {
  let rest = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) lines.push(JSON.parse(part) as Record<string, unknown>);
  });
}

async function failOnExit(child: ChildProcess, lines: readonly unknown[]): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`the worker ended with ${code} before it reported its port: ${JSON.stringify(lines)}`);
}
