import { connect } from 'node:net';
import { expect } from 'chai';
import { usePipeline } from '../support/pipeline.ts';
import { type ServiceProcess, useService } from '../support/service-process.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { type Attack, answersOf, prepareAttack, rawRequest, watchMemory } from './support/floods-attack.ts';
import { report } from './support/report.ts';
import { residentMiB } from './support/resident-memory.ts';

/** Requests that one connection sends at once, without waiting for a response. */
const PIPELINED = sized({ short: 5_000, long: 30_000 });
const CONNECTIONS = 10;
const HONEST_REQUESTS = sized({ short: 10, long: 300 });
/**
 * MiB over what the process had before. In the long form V8 lets the heap grow to several times of what lives in it (some
 * 40 MiB), as it does under any sustained load of requests that wait for Redis.
 */
const MORE_MEMORY = sized({ short: 150, long: 350 });

/** The shortest valid request. */
const get = (path: string) => Buffer.from(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);

describe('a flood of pipelined requests', function () {
  this.timeout(240_000);
  const pipeline = usePipeline();
  const api = useService('api', () => ({ ...pipeline.env }));
  let attack: Attack | undefined;
  afterEach(() => attack?.stop());

  interface Flood {
    readonly service: ServiceProcess;
    readonly url: string;
    readonly pipelined: Buffer;
    readonly honest: Buffer;
  }

  /** Uses a new connection. Returns the milliseconds from connecting to the first byte of the response, a 200. */
  function answeredIn(url: string, bytes: Buffer): Promise<number> {
    const { hostname, port } = new URL(url);
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(bytes));
      socket.on('error', reject);
      socket.once('data', (answer) => {
        socket.destroy();
        if (answer.toString('latin1', 9, 12) === '200') resolve(performance.now() - startedAt);
        else reject(new Error(answer.toString('latin1')));
      });
    });
  }

  async function flood({ service, url, pipelined, honest }: Flood): Promise<void> {
    await answeredIn(url, honest);
    const before = await residentMiB(service);
    const memory = watchMemory(service);
    const first = Buffer.concat(Array.from({ length: PIPELINED }, () => pipelined));
    const port = Number(new URL(url).port);
    const flooding = await prepareAttack({ kind: 'hold', port, connections: CONNECTIONS, first, drip: '' });
    attack = flooding;
    flooding.begin();
    await until(() => answersOf(flooding.seen()) > 0, { what: 'the flood is answered' });
    const took: number[] = [];
    for (let i = 0; i < HONEST_REQUESTS; i++) took.push(await answeredIn(url, honest));
    const answered = answersOf(flooding.seen());
    await flooding.stop();
    const more = (await memory.stop()) - before;
    report(
      `${answered} of ${CONNECTIONS * PIPELINED} answered meanwhile, the slowest honest one in ` +
        `${Math.max(...took).toFixed(0)} ms, memory ${more.toFixed(0)} MiB more`,
    );
    expect(answered, 'the honest requests wait for a part of the flood only').to.be.below(
      CONNECTIONS * PIPELINED,
    );
    expect(more).to.be.below(MORE_MEMORY);
    expect(service.ended()).to.equal(undefined);
  }

  async function upsert(otherSecret?: string): Promise<Buffer> {
    const { path, secret } = await pipeline.addSource();
    const { body, headers } = signed({ secret: otherSecret ?? secret, body: upsertBody() });
    return rawRequest(path, { ...headers, 'content-length': body.length }, body);
  }
  const ingress = () => ({
    service: pipeline.ingresses[0] as ServiceProcess,
    url: pipeline.urls[0] as string,
  });

  it('with unknown paths does not hold up honest requests to the ingress', async () => {
    await flood({ ...ingress(), pipelined: get('/'), honest: await upsert() });
  });

  it('with bad signatures does not hold up honest requests to the ingress', async () => {
    await flood({ ...ingress(), pipelined: await upsert('whsec_wrong'), honest: await upsert() });
  });

  it('without a key does not hold up honest requests to the API', async () => {
    const url = (await api.logged('api.listening')).url as string;
    const pipelined = get('/api/public/automation/me');
    await flood({ service: api, url, pipelined, honest: get('/openapi.json') });
  });

  it('does not hold up honest requests to the probes of an ingress', async () => {
    const { service } = ingress();
    const url = service.adminUrl() as string;
    await flood({ service, url, pipelined: get('/livez'), honest: get('/livez') });
  });
});
