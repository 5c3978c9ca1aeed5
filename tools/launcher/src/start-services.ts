import { setTimeout as sleep } from 'node:timers/promises';
import { UncleanRelease } from '@sluice/runtime/process/releasers';
import type { LaunchContext } from './launch-context.ts';
import { type ServiceKind, withheldFrom } from './needed-environment.ts';
import { claimablePort } from './port-check.ts';
import { startReplicaAdmin } from './replica-admin.ts';
import { allReady, type ReplicaAdmins } from './replica-readiness.ts';
import { createReplicas, type Replicas } from './replicas.ts';
import { type ChildEnvironment, clusterSpawner, forkSpawner, mainOf, type Spawn } from './spawners.ts';

const POLL_MS = 100;
const REPORT_EVERY_MS = 10_000;
/** Time to wait for a killed process after the grace period. */
const KILL_MS = 2000;

/** The services of this installation before their start. Their admin ports are bound, their main ports are free. */
export interface Services {
  readonly ingress: Replicas;
  readonly worker: Replicas;
  readonly dispatcher: Replicas;
  /** One process is enough for people. A second would work too, because it keeps no state. */
  readonly api: Replicas;
}

/** Prepares the replicas and opens their shared admin ports. Reports ports that are in use. */
export async function prepareServices(context: LaunchContext, env: ChildEnvironment): Promise<Services> {
  const { config, output, releasers, logger } = context;
  const run = (kind: ServiceKind) => ({
    main: mainOf(`services/${kind}`),
    env: { ...env, ...withheldFrom(kind) },
    output,
  });
  const create = (kind: ServiceKind, count: number, spawn: Spawn) =>
    createReplicas({
      kind,
      count,
      spawn,
      say: output.say,
      onBadConfig: context.onBadConfig,
      isStopping: context.isStopping,
    });
  const ingress = create('ingress', config.INGRESS_REPLICAS, clusterSpawner(run('ingress')));
  const worker = create('worker', config.WORKER_REPLICAS, forkSpawner(run('worker')));
  const dispatcher = create('dispatcher', config.DISPATCHER_REPLICAS, forkSpawner(run('dispatcher')));
  const api = create('api', 1, forkSpawner(run('api')));
  const admins = [
    { replicas: ingress, port: config.INGRESS_ADMIN_PORT, variable: 'INGRESS_ADMIN_PORT' },
    { replicas: worker, port: config.WORKER_ADMIN_PORT, variable: 'WORKER_ADMIN_PORT' },
    {
      replicas: dispatcher,
      port: config.DISPATCHER_ADMIN_PORT,
      variable: 'DISPATCHER_ADMIN_PORT',
    },
    { replicas: api, port: config.API_ADMIN_PORT, variable: 'API_ADMIN_PORT' },
  ];
  for (const settings of admins) {
    const common = { host: config.HOST, namespace: config.SLUICE_NAMESPACE, logger };
    const server = await startReplicaAdmin({ ...settings, ...common });
    releasers.push(`${settings.replicas.kind} admin port`, server.close);
  }
  await claimablePort({ port: config.INGRESS_PORT, host: config.HOST, variable: 'INGRESS_PORT' });
  await claimablePort({ port: config.API_PORT, host: config.HOST, variable: 'API_PORT' });
  return { ingress, worker, dispatcher, api };
}

/** Starts the replicas and resolves once all are ready. */
export async function startServices(
  context: LaunchContext,
  { ingress, worker, dispatcher, api }: Services,
): Promise<void> {
  const { config, output, releasers, killers, unlessStopping } = context;
  const graceMs = config.SHUTDOWN_GRACE_SECONDS * 1000;
  // Releasers run in reverse order: the API and the ingress drain first, while the workers still run.
  for (const replicas of [dispatcher, worker, ingress, api]) {
    unlessStopping();
    releasers.push(replicas.kind, () => stopReplicas(replicas, graceMs), { deadlineMs: graceMs + KILL_MS });
    killers.push(replicas.kill);
    replicas.start();
  }
  const { INGRESS_REPLICAS, WORKER_REPLICAS, DISPATCHER_REPLICAS } = config;
  output.say(
    `starting ${INGRESS_REPLICAS} ingress, ${WORKER_REPLICAS} worker, ${DISPATCHER_REPLICAS} dispatcher and the API …`,
  );
  await whenReady(context, [ingress, worker, dispatcher, api]);
}

async function stopReplicas(replicas: Replicas, graceMs: number): Promise<void> {
  const killed = await replicas.stop(graceMs);
  if (killed.length === 0) return;
  throw new UncleanRelease(`${killed.join(', ')} did not stop within ${graceMs / 1000} s: killed`);
}

async function whenReady(
  { output, unlessStopping }: LaunchContext,
  services: readonly ReplicaAdmins[],
): Promise<void> {
  for (let waited = 0; ; waited += POLL_MS) {
    unlessStopping();
    const trouble = await Promise.all(services.map(allReady)).then(
      () => undefined,
      (error: Error) => error.message,
    );
    if (trouble === undefined) return;
    if (waited > 0 && waited % REPORT_EVERY_MS === 0) output.say(`still waiting: ${trouble}`);
    await sleep(POLL_MS);
  }
}
