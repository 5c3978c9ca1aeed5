import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { addKey } from '../support/api-processes.ts';
import type { TestSource } from '../support/ingress.ts';
import { expectAllAccepted } from '../support/machine-late.ts';
import { usePipeline } from '../support/pipeline.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { LONG, sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { startLoad } from './support/load.ts';
import { report } from './support/report.ts';
import { type Front, startFront } from './support/rolling-front.ts';
import { expectWhole, inWords, verdictOn } from './support/whole.ts';

const REPLICAS = LONG ? 3 : 2;
const REPLACED = sized({ short: 1, middle: 2, long: 21 });
/** Between two replacements. */
const REQUESTS = 50;
/** Each of two clients of the API waits so long after a response. */
const ASK_PAUSE_MS = sized({ short: 20, middle: 0 });

describe('a rolling restart under load', function () {
  this.timeout(LONG ? 300_000 : 240_000);
  // The drain time lets a connection in use see several responses, even if the disk stalls for a second.
  const env = { DRAIN_MS: '1000', KEY_RATE_PER_MINUTE: '1000000', KEY_RATE_BURST: '1000000' };
  const pipeline = usePipeline({ ingress: 1, workers: REPLICAS, env });
  let source: TestSource;
  let front: Front;
  const started: ServiceProcess[] = [];
  beforeEach(async () => {
    source = await pipeline.addSource();
    front = await startFront();
  });
  afterEach(async () => {
    await front?.close();
    await Promise.all(started.splice(0).map((service) => service.kill('SIGKILL')));
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

  /** Replaces one replica after the other, and starts the new one first. Each must end with 0. */
  async function replaceAll(
    replicas: ServiceProcess[],
    start: () => Promise<ServiceProcess>,
    between: () => Promise<void>,
  ): Promise<void> {
    for (let i = 0; i < REPLACED; i++) {
      await between();
      replicas.push(await start());
      const [old] = replicas.splice(0, 1) as [ServiceProcess];
      await old.kill('SIGTERM');
      expect(old.ended(), JSON.stringify(old.log.slice(-8))).to.equal(0);
    }
    await between();
  }

  /** Replaces under a load of signed requests, of which none fails or is lost. */
  async function replaceUnderLoad(
    url: string,
    replicas: ServiceProcess[],
    start: () => Promise<ServiceProcess>,
    services: () => readonly Pick<ServiceProcess, 'log'>[],
  ): Promise<void> {
    const load = startLoad({ urls: [url], source, retry: false });
    await replaceAll(replicas, start, () => load.sent(REQUESTS)).finally(() => load.stop());
    const verdict = await verdictOn(pipeline, source, load.tries);
    report(inWords(verdict), REPLACED);
    expectWhole(verdict);
    expectAllAccepted(
      load.tries.map(({ answer }) => answer?.status ?? 'broken'),
      services(),
    );
  }

  it('of the ingress behind a load balancer fails and loses no request', async () => {
    const start = () => behindFront('ingress');
    const replicas = await Promise.all(Array.from({ length: REPLICAS }, start));
    await until(async () => (await fetch(front.url)).status === 404);
    front.failures.length = 0;
    await replaceUnderLoad(front.url, replicas, start, () => [...started, front]);
    expect(front.failures).to.deep.equal([]);
  });

  it('of workers loses no request', async () => {
    const start = async () => {
      const worker = pipeline.addWorker();
      await worker.ready();
      return worker;
    };
    const replicas = [...pipeline.workers];
    await Promise.all(replicas.map((worker) => worker.ready()));
    await replaceUnderLoad(pipeline.urls[0] as string, replicas, start, () => pipeline.ingresses);
  });

  it('of the API behind a load balancer fails no request', async () => {
    const authorization = `Bearer ${await addKey(pipeline, source.accountId, ['read:leads'])}`;
    const ask = async () => {
      const answer = await fetch(`${front.url}/api/public/automation/me`, { headers: { authorization } });
      await answer.text();
      return answer.status;
    };
    const start = () => behindFront('api');
    const replicas = await Promise.all(Array.from({ length: REPLICAS }, start));
    await until(async () => (await ask()) === 200);
    front.failures.length = 0;
    const statuses: number[] = [];
    let isOver = false;
    const asking = Array.from({ length: 2 }, async () => {
      while (!isOver) {
        statuses.push(await ask());
        if (ASK_PAUSE_MS > 0) await sleep(ASK_PAUSE_MS);
      }
    });
    const more = () => {
      const enough = statuses.length + REQUESTS;
      return until(() => statuses.length >= enough);
    };
    await replaceAll(replicas, start, more);
    isOver = true;
    await Promise.all(asking);
    report(
      `${statuses.length} requests, ${statuses.filter((status) => status !== 200).length} failed`,
      REPLACED,
    );
    expectAllAccepted(statuses, [...started, front]);
    expect(front.failures).to.deep.equal([]);
  });
});
