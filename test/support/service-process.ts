import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { until } from './until.ts';
import { use } from './use.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Starting a process takes long on a busy machine, and its stores may be down meanwhile. */
const READY_WITHIN_MS = 90_000;

/** A real process of a service, as operators run it. */
export interface ServiceProcess {
  readonly pid: number;
  /** Its log, one parsed line each. */
  readonly log: Record<string, unknown>[];
  /** The address of its /readyz and /metrics, once it has logged that. */
  adminUrl(): string | undefined;
  /** Resolves once its /readyz returns 200. */
  ready(): Promise<void>;
  /** Its exit code, or the signal that ended it; undefined while it runs. */
  ended(): number | NodeJS.Signals | undefined;
  /** Sends a signal and resolves once the process has ended. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Resolves with the first log line that has this `event`. */
  logged(event: string): Promise<Record<string, unknown>>;
}

/** Free ports, unless a test sets one. */
const FREE_PORTS = {
  INGRESS_PORT: '0',
  INGRESS_ADMIN_PORT: '0',
  API_PORT: '0',
  API_ADMIN_PORT: '0',
  WORKER_ADMIN_PORT: '0',
  DISPATCHER_ADMIN_PORT: '0',
};

/** Starts a compiled service with a separate environment. It inherits only PATH from this process. */
export function startService(
  name: 'ingress' | 'worker' | 'dispatcher' | 'api',
  env: Record<string, string>,
): ServiceProcess {
  const child = fork(`${ROOT}services/${name}/dist/main.js`, {
    env: { PATH: process.env.PATH ?? '', ...FREE_PORTS, ...env },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const log: Record<string, unknown>[] = [];
  const listeners = new Set<() => void>();
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    log.push(JSON.parse(line));
    for (const listener of listeners) listener();
  });
  const exited = once(child, 'exit');
  let adminUrl: string | undefined;
  child.on('message', (message: { url: string }) => {
    adminUrl = message.url;
  });
  return {
    pid: child.pid as number,
    log,
    adminUrl: () => adminUrl,
    ready: () =>
      until(async () => adminUrl !== undefined && (await fetch(`${adminUrl}/readyz`)).status === 200, {
        what: `${name} is ready`,
        withinMs: READY_WITHIN_MS,
      }),
    ended: () => child.exitCode ?? child.signalCode ?? undefined,
    async kill(signal) {
      if (hasEnded(child)) return;
      child.kill(signal);
      await exited;
    },
    logged: (event) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const line = log.find((one) => one.event === event);
          if (line === undefined) return;
          listeners.delete(look);
          resolve(line);
        };
        listeners.add(look);
        look();
        void exited.then(() =>
          reject(new Error(`${name} ended before it logged ${event}:\n${JSON.stringify(log.slice(-5))}`)),
        );
      }),
  };
}

/** A service for the tests of a describe block. They begin once it is ready. */
export function useService(
  name: Parameters<typeof startService>[0],
  env: () => Record<string, string>,
): ServiceProcess {
  const start = async () => {
    const service = startService(name, env());
    await service.ready();
    return service;
  };
  return use(start, (service) => service.kill('SIGKILL'));
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
