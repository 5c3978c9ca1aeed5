import { connect } from 'node:net';
import { expect } from 'chai';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { type Attack, answersOf, prepareAttack, rawRequest, watchMemory } from './support/floods-attack.ts';
import { atMostMs, waitedForCoreMs, watchMachine } from './support/machine-lag.ts';
import { report } from './support/report.ts';
import { residentMiB } from './support/resident-memory.ts';

/** Requests that one connection sends at once, without waiting for a response. */
const PIPELINED = sized({ short: 5_000, long: 30_000 });
const CONNECTIONS = 10;
const HONEST_REQUESTS = sized({ short: 30, long: 300 });
/** Milliseconds. */
const HONEST_WITHIN = 100;
/**
 * MiB over what the process had before. In the long form V8 lets the heap grow to several times of what lives in it (some
 * 40 MiB), as it does under any sustained load of requests that wait for Redis.
 */
const MORE_MEMORY = sized({ short: 150, long: 350 });

/** The shortest valid request. */
const get = (path: string) => Buffer.from(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);

describe('a flood of pipelined requests does not affect other senders', function () {
  this.timeout(240_000);
  let pipeline: Pipeline;
  let api: ServiceProcess;
  let attack: Attack | undefined;
  let memory: ReturnType<typeof watchMemory> | undefined;

  before(async () => {
    pipeline = await startPipeline();
    api = startService('api', { ...pipeline.env });
    await api.ready();
  });
  afterEach(async () => {
    await attack?.stop();
    await memory?.stop();
  });
  after(async () => {
    await api?.kill('SIGKILL');
    await pipeline?.stop();
  });

  interface Flood {
    readonly name: string;
    readonly service: ServiceProcess;
    readonly url: string;
    readonly pipelined: Buffer;
    readonly honest: Buffer;
    readonly status: number;
  }

  /** Uses a new connection. Returns the milliseconds from connecting to the first byte of the response. */
  function answeredIn(url: string, bytes: Buffer, status: number): Promise<number> {
    const { hostname, port } = new URL(url);
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(bytes));
      socket.on('error', reject);
      socket.once('data', (answer) => {
        socket.destroy();
        const tookMs = performance.now() - startedAt;
        if (answer.toString('latin1', 9, 12) === String(status)) resolve(tookMs);
        else reject(new Error(answer.toString('latin1')));
      });
    });
  }

  async function flood({ name, service, url, pipelined, honest, status }: Flood): Promise<void> {
    // The first requests of each kind are slower, so they are not measured.
    for (let i = 0; i < 10; i++) await answeredIn(url, honest, status);
    const before = await residentMiB(service);
    memory = watchMemory(service);
    const machine = await watchMachine();
    const first = Buffer.concat(Array.from({ length: PIPELINED }, () => pipelined));
    const port = Number(new URL(url).port);
    attack = await prepareAttack({ kind: 'hold', port, connections: CONNECTIONS, first, drip: '' });
    attack.begin();
    await until(async () => (attack?.seen().opened ?? 0) === CONNECTIONS);
    const took: number[] = [];
    for (let i = 0; i < HONEST_REQUESTS; i++) {
      // A flooded process uses a core, so beside other tests it waits for one longer than this process does.
      const waitedBefore = await waitedForCoreMs(service.pid);
      const answeredMs = await answeredIn(url, honest, status);
      took.push(answeredMs - ((await waitedForCoreMs(service.pid)) - waitedBefore));
    }
    const seen = await attack.stop();
    const more = (await memory.stop()) - before;
    const lagMs = await machine.stop();
    const slowest = Math.max(...took);
    const median = took.toSorted((a, b) => a - b)[Math.floor(took.length / 2)] as number;
    report({
      test: `flood of pipelined requests: ${name}`,
      done: `${CONNECTIONS} connections with ${PIPELINED} requests each, ${answersOf(seen)} of them answered meanwhile`,
      times: CONNECTIONS * PIPELINED,
      asked: `honest requests within ${HONEST_WITHIN} ms while it has a core; memory +${MORE_MEMORY} MiB at most; the same process continues`,
      seen: `of ${took.length} the median ${median.toFixed(0)} ms, the slowest ${slowest.toFixed(0)} ms (machine late by ${lagMs.toFixed(0)}), memory ${more > 0 ? '+' : ''}${more.toFixed(0)} MiB`,
    });
    expect(answersOf(seen), 'the flood is answered').to.be.above(0);
    expect(slowest).to.be.below(atMostMs(HONEST_WITHIN, lagMs));
    expect(more).to.be.below(MORE_MEMORY);
    expect(service.ended()).to.equal(undefined);
    await answeredIn(url, honest, status);
  }

  async function upsert(otherSecret?: string): Promise<Buffer> {
    const { path, secret } = await pipeline.addSource();
    const { body, headers } = signed({ secret: otherSecret ?? secret, body: upsertBody() });
    return rawRequest(path, { ...headers, 'content-length': body.length }, body);
  }

  it('at the ingress, with unknown paths: answers honest requests within 100 ms', async () => {
    const [service, url] = [pipeline.ingresses[0] as ServiceProcess, pipeline.urls[0] as string];
    await flood({
      name: 'ingress, 404',
      service,
      url,
      pipelined: get('/'),
      honest: await upsert(),
      status: 200,
    });
  });

  it('at the ingress, with bad signatures: answers honest requests within 100 ms', async () => {
    const [service, url] = [pipeline.ingresses[0] as ServiceProcess, pipeline.urls[0] as string];
    const [pipelined, honest] = [await upsert('whsec_wrong'), await upsert()];
    await flood({ name: 'ingress, badly signed', service, url, pipelined, honest, status: 200 });
  });

  it('at the API, without a key: answers honest requests within 100 ms', async () => {
    const url = (await api.logged('api.listening')).url as string;
    const pipelined = get('/api/public/automation/me');
    await flood({
      name: 'API, 401',
      service: api,
      url,
      pipelined,
      honest: get('/openapi.json'),
      status: 200,
    });
  });

  it('at the probes of an ingress: answers honest requests within 100 ms', async () => {
    const service = pipeline.ingresses[0] as ServiceProcess;
    const url = service.adminUrl() as string;
    await flood({
      name: 'probes',
      service,
      url,
      pipelined: get('/livez'),
      honest: get('/livez'),
      status: 200,
    });
  });
});
