import { spawn } from 'node:child_process';
import type { AdminServer } from '@sluice/runtime/http/admin-server';
import { startReplicaAdmin } from '../../../tools/launcher/src/replica-admin.ts';
import { createReplicas, type Replicas } from '../../../tools/launcher/src/replicas.ts';
import { silentLogger } from '../../support/silent-logger.ts';

/** Two replicas of a worker that run a script instead, and the admin port over both. The caller starts and stops them. */
export interface StandIns {
  readonly replicas: Replicas;
  readonly admin: AdminServer;
  /** The process ids by name: worker-1, worker-2. */
  readonly pids: ReadonlyMap<string, number>;
  /** Sends a signal to one process. Throws if it was not started. */
  signal(name: string, what: NodeJS.Signals): void;
  /** Gets a path of the admin port. */
  get(path: string): Promise<{ readonly status: number; readonly text: string }>;
}

/** `script` is the source of each process. */
export async function openStandIns(script: string): Promise<StandIns> {
  const args = ['--import=tsx', '--conditions=source', '--input-type=module', '--eval', script];
  const pids = new Map<string, number>();
  const replicas = createReplicas({
    kind: 'worker',
    count: 2,
    say: () => {},
    onBadConfig: () => {},
    spawn: (name) => {
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
      if (child.pid !== undefined) pids.set(name, child.pid);
      return child;
    },
  });
  const settings = {
    port: 0,
    host: '127.0.0.1',
    variable: 'WORKER_ADMIN_PORT',
    namespace: 'sluice',
    logger: silentLogger(),
    replicas,
  };
  const admin = await startReplicaAdmin(settings);
  return {
    replicas,
    admin,
    pids,
    signal(name, what) {
      const pid = pids.get(name);
      // Never process 0: that would be this process group.
      if (pid === undefined) throw new Error(`${name} was not started`);
      process.kill(pid, what);
    },
    async get(path) {
      const response = await fetch(`${admin.url}${path}`);
      return { status: response.status, text: await response.text() };
    },
  };
}
