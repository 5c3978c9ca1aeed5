import { setTimeout as sleep } from 'node:timers/promises';
import { createKey } from '@sluice/accounts/keys/create-key';
import { expect } from 'chai';
import type { TestSource } from '../support/ingress.ts';
import { PAUSE_MS } from '../support/load.ts';
import { expectAllAccepted, itWhenInTime } from '../support/machine-late.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { LONG, sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { report } from './support/report.ts';
import { type Front, startFront } from './support/rolling-front.ts';
import {
  expectNothingLost,
  failedInWords,
  faredOf,
  type GracefulStop,
  type Load,
  longestOf,
  sendUntilStopped,
  stopGracefully,
  stopsInWords,
} from './support/rolling-load.ts';

const GRACE_MS = 10_000;
/** On a busy machine the exit event arrives late. */
const LATE_MS = 3_000;
const REPLICAS = LONG ? 3 : 2;
/** Beside other tests Redis may respond after the deadline. A run in which services log that proves nothing. */
const RUNS_AFTER_A_LATE_ONE = LONG ? 0 : 2;
/** How often each replica is replaced. */
const ROUNDS = LONG ? 7 : 1;
const REPLACED = sized({ short: 1, middle: REPLICAS * ROUNDS });

describe('rolling restarts under load', function () {
  this.timeout(LONG ? 300_000 : 240_000);
  let pipeline: Pipeline;
  let source: TestSource;
  let front: Front;
  let load: Load | undefined;
  const started: ServiceProcess[] = [];

  const shows = (guarantee: string, run: () => Promise<void>) =>
    itWhenInTime(guarantee, RUNS_AFTER_A_LATE_ONE, run);

  const begin = async (ingress: number, workers: number) => {
    // The drain time lets a connection in use see several responses, even if the disk stalls for a second.
    pipeline = await startPipeline({
      ingress,
      workers,
      env: {
        DRAIN_MS: '2000',
        RATE_LIMIT_PER_SECOND: '1000000',
        KEY_RATE_PER_MINUTE: '1000000',
        KEY_RATE_BURST: '1000000',
      },
    });
    source = await pipeline.addSource();
  };
  beforeEach(async () => {
    front = await startFront();
  });
  afterEach(async () => {
    await load?.stop();
    await front?.close();
    await Promise.all(started.splice(0).map((service) => service.kill('SIGKILL')));
    await pipeline?.stop();
  });

  /** Starts a replica and waits until the load balancer may send to it. */
  async function behindFront(name: 'ingress' | 'api'): Promise<ServiceProcess> {
    const service = startService(name, pipeline.env);
    started.push(service);
    const { url } = await service.logged(`${name}.listening`);
    await service.ready();
    front.add({ url: url as string, adminUrl: service.adminUrl() as string });
    return service;
  }

  /** Replaces one replica after the other, and starts the new one first. */
  async function replaceAll(
    replicas: ServiceProcess[],
    start: () => Promise<ServiceProcess>,
  ): Promise<GracefulStop[]> {
    const stops: GracefulStop[] = [];
    for (let i = 0; i < REPLACED; i++) {
      const replacement = await start();
      stops.push(await stopGracefully(replicas[i % REPLICAS] as ServiceProcess));
      replicas[i % REPLICAS] = replacement;
    }
    return stops;
  }

  shows('of the ingress behind a load balancer: no request fails, nothing is lost', async () => {
    await begin(0, 1);
    const start = () => behindFront('ingress');
    const replicas = await Promise.all(Array.from({ length: REPLICAS }, start));
    await until(async () => (await fetch(front.url)).status === 404);
    front.failures.length = 0;
    load = sendUntilStopped(front.url, source);
    const stops = await replaceAll(replicas, start);
    const fared = await faredOf(pipeline, source, await load.stop());
    report({
      test: 'rolling restart: ingress behind a load balancer',
      done: `replicas replaced under ${fared.sent.length} requests`,
      times: stops.length,
      asked: '0 failed, 0 lost',
      seen: `${failedInWords(fared.statuses)}, ${fared.lost} lost, ${stopsInWords(stops)}`,
    });
    expectClean(stops);
    await expectNothingLost(pipeline, source, fared, [...started, front]);
    expect(front.failures).to.deep.equal([]);
  });

  shows('of workers: nothing is lost', async () => {
    await begin(1, REPLICAS);
    load = sendUntilStopped(pipeline.urls[0] as string, source);
    await pipeline.logged(source, 100);
    const stops = await replaceAll([...pipeline.workers], async () => {
      const worker = pipeline.addWorker();
      await worker.ready();
      return worker;
    });
    const fared = await faredOf(pipeline, source, await load.stop());
    report({
      test: 'rolling restart: workers',
      done: `workers replaced under ${fared.sent.length} requests`,
      times: stops.length,
      asked: '0 failed, 0 lost',
      seen: `${failedInWords(fared.statuses)}, ${fared.lost} lost, ${stopsInWords(stops)}`,
    });
    expectClean(stops);
    await expectNothingLost(pipeline, source, fared, pipeline.ingresses);
  });

  shows('of the API behind a load balancer: no request fails', async () => {
    await begin(0, 0);
    const { store } = pipeline;
    const made = await createKey(
      { ...store, now: Date.now },
      { accountId: source.accountId, name: 'test', scopes: ['read:leads'], expiresAt: null },
    );
    if (made.status !== 'created') throw new Error(made.status);
    const ask = () =>
      fetch(`${front.url}/api/public/automation/me`, { headers: { authorization: `Bearer ${made.key}` } });
    const replicas = await Promise.all(Array.from({ length: REPLICAS }, () => behindFront('api')));
    await until(async () => (await ask()).ok);
    front.failures.length = 0;

    let stopped = false;
    const statuses: number[] = [];
    const asking = Array.from({ length: 8 }, async () => {
      while (!stopped) {
        const answer = await ask();
        await answer.text();
        statuses.push(answer.status);
        if (PAUSE_MS > 0) await sleep(PAUSE_MS);
      }
    });
    const stops = await replaceAll(replicas, () => behindFront('api'));
    stopped = true;
    await Promise.all(asking);
    report({
      test: 'rolling restart: API behind a load balancer',
      done: `replicas replaced under ${statuses.length} requests`,
      times: stops.length,
      asked: '0 failed',
      seen: `${failedInWords(statuses)}, ${stopsInWords(stops)}`,
    });
    expectClean(stops);
    expectAllAccepted(statuses, [...started, front]);
    expect(front.failures).to.deep.equal([]);
  });
});

/** Each process ended in time, without being killed, and left nothing undone. */
function expectClean(stops: readonly GracefulStop[]): void {
  for (const { code, said } of stops) expect(code, said).to.equal(0);
  expect(longestOf(stops)).to.be.below(GRACE_MS + LATE_MS);
}
