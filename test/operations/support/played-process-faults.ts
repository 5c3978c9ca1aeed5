import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deleteByAdmin } from '@sluice/outbound/subscriptions/delete-subscription';
import { type Receiver, startReceiver } from '../../dispatcher/support/receiver.ts';
import { preload } from '../../faults/support/preload.ts';
import { selfSigned } from '../../faults/support/self-signed.ts';
import { freePort } from '../../support/free-port.ts';
import { send } from '../../support/post.ts';
import { type ServiceProcess, startService } from '../../support/service-process.ts';
import { signed, upsertBody } from '../../support/signed.ts';
import { until } from '../../support/until.ts';
import type { PlayedFault } from './played-fault.ts';

/** Faults of Sluice's processes, of a sender and of a receiver. */
export const PROCESS_FAULTS: readonly PlayedFault[] = [
  {
    done: 'a worker is killed five times',
    alerts: ['SluiceCrashLoop'],
    within: 150,
    more: async ({ pipeline }) => [
      startService('worker', { ...pipeline.env, WORKER_ADMIN_PORT: String(await freePort()) }),
    ],
    async play({ pipeline }, [worker], prometheus) {
      let running = worker as ServiceProcess;
      const { port, host } = new URL(String(running.adminUrl()));
      const starts = `changes(process_start_time_seconds{instance="${host}"}[15m])`;
      for (let n = 1; n <= 5; n++) {
        await running.kill('SIGKILL');
        running = startService('worker', { ...pipeline.env, WORKER_ADMIN_PORT: port });
        await until(async () => ((await prometheus.query(starts))[0] ?? 0) >= n, {
          what: `Prometheus has seen start ${n}`,
        });
      }
      return () => running.kill('SIGKILL');
    },
  },
  {
    done: 'one of two workers is gone, and with it its target',
    alerts: ['SluiceReplicasLost'],
    within: 90,
    unseen: true,
    first: 'sluice_replicas{kind="worker", state="ready"} == 2',
    more: async ({ pipeline }) => [startService('worker', { ...pipeline.env })],
    async play(_stack, [worker]) {
      await worker?.kill('SIGKILL');
      return () => undefined;
    },
  },
  {
    done: 'worker and dispatcher of one installation are frozen, those of another in the same Prometheus are well',
    alerts: ['SluiceWorkersMissing', 'SluiceDispatchersNotReady', 'SluiceDispatchersMissing'],
    within: 90,
    ends: true,
    first: 'count(sluice_replicas{kind="dispatcher", state="ready"} == 1) == 2',
    more: async ({ pipeline }) => {
      const env = { ...pipeline.env, SLUICE_NAMESPACE: `${pipeline.namespace}-second` };
      return (['worker', 'dispatcher', 'api'] as const).map((name) => startService(name, env));
    },
    async play({ services }) {
      const pids = [services.worker.pid, services.dispatcher.pid];
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      return () => pids.map((pid) => process.kill(pid, 'SIGCONT'));
    },
  },
  {
    done: 'the only ingress is frozen',
    alerts: ['SluiceIngressesNotReady'],
    within: 60,
    async play({ services }) {
      process.kill(services.ingress.pid, 'SIGSTOP');
      return () => process.kill(services.ingress.pid, 'SIGCONT');
    },
  },
  {
    done: 'the only API server is frozen',
    alerts: ['SluiceNotSeen', 'SluiceProcessSilent'],
    within: 60,
    ends: true,
    async play({ services }) {
      process.kill(services.api.pid, 'SIGSTOP');
      return () => process.kill(services.api.pid, 'SIGCONT');
    },
  },
  {
    done: 'an ingress has no file descriptors left',
    alerts: ['SluiceFilesNearLimit'],
    within: 60,
    async more({ pipeline }) {
      const ingress = startService('ingress', { ...pipeline.env });
      // Before its code runs, which reads the limit.
      execFileSync('prlimit', ['--pid', String(ingress.pid), '--nofile=150:150']);
      return [ingress];
    },
    async play(_stack, [ingress]) {
      const { port } = new URL(String((await (ingress as ServiceProcess).logged('ingress.listening')).url));
      const sockets = Array.from({ length: 150 }, (): Socket => {
        const socket = connect(Number(port), '127.0.0.1');
        return socket.on('error', () => socket.destroy());
      });
      return () => sockets.map((socket) => socket.destroy());
    },
  },
  {
    done: 'the clock of an ingress is ten minutes ahead',
    alerts: ['SluiceIngressClockOff', 'SluiceGateClosed'],
    within: 60,
    more: async ({ pipeline }) => [
      startService('ingress', {
        ...pipeline.env,
        ...preload('jumping-clock'),
        CLOCK_FILE: join(tmpdir(), `sluice-clock-${process.pid}`),
      }),
    ],
    async play(_stack, [ingress]) {
      const file = join(tmpdir(), `sluice-clock-${process.pid}`);
      writeFileSync(file, '600000');
      process.kill((ingress as ServiceProcess).pid, 'SIGUSR2');
      return () => rmSync(file);
    },
  },
  {
    done: 'a sender signs with a wrong secret',
    alerts: ['SluiceSourceRejected', 'SluiceMostRequestsRejected'],
    within: 60,
    async play(stack) {
      const { path } = await stack.pipeline.addSource();
      stack.traffic(false);
      for (let n = 0; n < 400; n++)
        await send(stack.pipeline.urls[0] + path, signed({ secret: 'whsec_wrong', body: upsertBody() }));
      return () => stack.traffic(true);
    },
  },
  {
    done: 'the plan of an account is used up',
    alerts: ['SluiceSourceRejected'],
    within: 60,
    async play({ pipeline }) {
      const source = await pipeline.addSource({ plan: 'free' });
      for (let n = 0; n < 60; n++)
        await send(pipeline.urls[0] + source.path, signed({ secret: source.secret, body: upsertBody() }));
      return () => undefined;
    },
  },
  receiverDown('refuses connections', async () => {
    const receiver = await startReceiver();
    await receiver.close();
    return { ...receiver, close: async () => undefined };
  }),
  receiverDown('responds 500', () => startReceiver((_received, response) => response.writeHead(500).end())),
  receiverDown('never responds', () => startReceiver(() => undefined)),
  receiverDown('has a certificate that is not valid', () =>
    startReceiver(undefined, 0, selfSigned('127.0.0.1')),
  ),
];

function receiverDown(what: string, start: () => Promise<Receiver>): PlayedFault {
  return {
    done: `the only receiver ${what}`,
    alerts: ['SluiceReceiversDown'],
    within: 150,
    async play({ pipeline, source: { accountId } }) {
      const receiver = await start();
      const { subscription } = await pipeline.subscribe(accountId, {
        target_url: receiver.url,
        events: ['event.created'],
      });
      return async () => {
        await deleteByAdmin(pipeline.deps, accountId, subscription.subscription_id);
        await receiver.close();
      };
    },
  };
}
