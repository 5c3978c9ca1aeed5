import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AdminReport } from '@sluice/runtime/http/admin-server';
import { type ReplicaAdmins, troubleOf } from './replica-readiness.ts';
import { type Supervised, type SuperviseSettings, supervise } from './supervise.ts';

export interface ReplicasSettings {
  /** `ingress` or `worker`; the replicas are ingress-1, ingress-2 … */
  readonly kind: string;
  readonly count: number;
  readonly spawn: (name: string) => ChildProcess;
  readonly say: (line: string) => void;
  readonly onBadConfig: (name: string) => void;
  readonly isStopping?: NonNullable<SuperviseSettings['isStopping']>;
}

/** The running processes of one service. */
export interface Replicas extends ReplicaAdmins {
  start(): void;
  /** Stops all concurrently. Resolves to the names of those that had to be killed. */
  stop(graceMs: number): Promise<readonly string[]>;
  /** Replaces them one by one, each after the previous one is ready, so that the others continue to work. */
  restart(graceMs: number): Promise<void>;
  kill(): void;
}

const READY_MS = 30_000;
const POLL_MS = 50;

/** Supervises the configured number of processes. Each reports its admin URL over IPC. */
export function createReplicas({
  kind,
  count,
  spawn,
  say,
  onBadConfig,
  isStopping,
}: ReplicasSettings): Replicas {
  const urls = new Map<string, string>();
  const pids = new Map<string, number | undefined>();

  function create(name: string): Supervised {
    const spawnReporting = () => {
      const child = spawn(name);
      pids.set(name, child.pid);
      child.on('message', (message) => {
        if (isAdminReport(message)) urls.set(name, message.url);
      });
      return child;
    };
    const onEnd = () => void urls.delete(name);
    return supervise({
      name,
      spawn: spawnReporting,
      say,
      onBadConfig,
      onEnd,
      ...(isStopping && { isStopping }),
    });
  }

  const names = Array.from({ length: count }, (_, index) => `${kind}-${index + 1}`);
  const replicas = names.map((name) => ({ name, process: create(name) }));

  async function restart(graceMs: number): Promise<void> {
    for (const replica of replicas) {
      await replica.process.restart(graceMs);
      const deadline = performance.now() + READY_MS;
      while (performance.now() < deadline && (await troubleOf(urls.get(replica.name))) !== undefined)
        await sleep(POLL_MS);
    }
  }

  return {
    kind,
    start: () => {
      for (const { process } of replicas) process.start();
    },
    admins: () => names.map((name) => ({ name, pid: pids.get(name), url: urls.get(name) })),
    stop: async (graceMs) => {
      const stops = replicas.map(async ({ name, process }) => ((await process.stop(graceMs)) ? [] : [name]));
      return (await Promise.all(stops)).flat();
    },
    restart,
    kill: () => {
      for (const { process } of replicas) process.kill();
    },
  };
}

function isAdminReport(message: unknown): message is AdminReport {
  return (
    typeof message === 'object' && message !== null && 'type' in message && message.type === 'sluice:admin'
  );
}
