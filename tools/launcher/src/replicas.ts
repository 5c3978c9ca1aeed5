import type { ChildProcess } from 'node:child_process';
import type { AdminReport } from '@sluice/runtime/http/admin-server';
import type { ReplicaAdmins } from './replica-readiness.ts';
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
  /** Ends all with SIGTERM and starts them again. */
  replace(): void;
  kill(): void;
}

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

  function create(name: string): Supervised {
    const spawnReporting = () => {
      const child = spawn(name);
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

  return {
    kind,
    start: () => {
      for (const { process } of replicas) process.start();
    },
    admins: () => names.map((name) => ({ name, url: urls.get(name) })),
    stop: async (graceMs) => {
      const stops = replicas.map(async ({ name, process }) => ((await process.stop(graceMs)) ? [] : [name]));
      return (await Promise.all(stops)).flat();
    },
    replace: () => {
      for (const { process } of replicas) process.replace();
    },
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
