import { setShards } from '@sluice/accounts/shards/set-shards';
import { shardOf } from '@sluice/redis/shards/shards';
import { expect } from 'chai';
import { shardChange } from '../../services/cli/src/shard-change.ts';
import { type Run, sluice } from '../cli/support.ts';
import type { TestSource } from '../support/ingress.ts';
import { usePipeline } from '../support/pipeline.ts';
import { postUntilTaken, upsertUntilTaken } from '../support/post.ts';
import { useRedisClient } from '../support/redis-client.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { type SignedRequest, signed, upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';
import { sourcesOfAllShards } from './support/sources.ts';

/** The steps by which an operator changes the number of shards, as in docs/scaling.md. */
describe('sluice shards set', function () {
  this.timeout(240_000);
  const pipeline = usePipeline();
  const redis = useRedisClient(() => pipeline.redis.url);
  let sources: TestSource[];
  let limited: TestSource;
  let first: SignedRequest[];
  let url: string;
  const workers: ServiceProcess[] = [];
  before(async () => {
    sources = await sourcesOfAllShards(pipeline, 4);
    limited = await pipeline.addSource({ plan: 'free' });
    url = pipeline.urls[0] as string;
    first = sources.map(({ secret }) => signed({ secret, body: upsertBody({ title: 'A', price: '1' }) }));
  });
  after(async () => {
    await Promise.all(workers.map((worker) => worker.kill('SIGKILL')));
  });

  const send = (source: TestSource, title: string, price = '') =>
    upsertUntilTaken(url, source, { title, price });
  const command = (count: number): Promise<Run> =>
    sluice(['shards', 'set', String(count), '--json'], { env: pipeline.env });
  /** Runs the command without its pause for an overlooked ingress: here there is none. */
  const set = (count: number) => {
    const { store, namespace } = pipeline;
    return setShards(
      { ...shardChange({ redis, store, namespace, replicas: 0 }, Date.now), pause: async () => {} },
      count,
    );
  };
  const stopIngress = () => Promise.all(pipeline.ingresses.map((one) => one.kill('SIGTERM')));
  const stopWorkers = () => Promise.all([...pipeline.workers, ...workers].map((one) => one.kill('SIGTERM')));
  const start = async (shards: number) => {
    url = await pipeline.addIngress({ QUEUE_SHARDS: String(shards) });
    workers.push(startService('worker', { ...pipeline.env, QUEUE_SHARDS: String(shards) }));
  };

  it('does nothing while an ingress runs, and names it', async () => {
    for (const [i, source] of sources.entries())
      expect((await postUntilTaken(url + source.path, first[i] as SignedRequest)).status).to.equal(200);
    for (const title of ['1', '2', '3']) expect((await send(limited, title)).status).to.equal(200);
    const heard = async () => (await redis.hvals(`{${pipeline.namespace}:0}:replicas`)).join();
    await until(async () => (await heard()).includes('ingress'), { what: 'the ingress is registered' });
    const refused = await command(4);
    expect(refused.code).to.equal(75);
    expect(refused.stderr).to.include('ingress').and.to.include('Stop every ingress');
    expect((await send(sources[0] as TestSource, 'B')).status).to.equal(200);
  });

  it('spreads accounts over more shards while a dispatcher runs, which ends: a repeated request has no effect, plans stay exact, the order stays', async () => {
    await stopIngress();
    await stopWorkers();
    const dispatcher = startService('dispatcher', { ...pipeline.env });
    workers.push(dispatcher);
    await dispatcher.ready();
    const heard = async () => (await redis.hvals(`{${pipeline.namespace}:0}:replicas`)).join();
    await until(async () => (await heard()).includes('dispatcher'), { what: 'the dispatcher is registered' });
    const done = await command(4);
    expect(done.code, done.stderr).to.equal(0);
    await until(() => dispatcher.ended() === 78, { what: 'the dispatcher has ended' });
    expect(done.rows[0]).to.include({ shards: 4, status: 'set' });
    await start(4);
    for (const [i, source] of sources.entries()) {
      expect((await postUntilTaken(url + source.path, first[i] as SignedRequest)).body.duplicate).to.equal(
        true,
      );
      expect((await send(source, 'A', '2')).status).to.equal(200);
    }
    const statuses: number[] = [];
    for (const title of ['4', '5', '6']) statuses.push((await send(limited, title)).status);
    expect(statuses).to.deep.equal([200, 200, 403]);
    for (const [i, source] of sources.entries()) {
      await pipeline.logged(source, i === 0 ? 4 : 3);
      const found = (await pipeline.events(source)).find(({ title }) => title === 'A');
      expect(found?.price).to.equal('2');
    }
  });

  it('removes no shard in which accepted actions wait, and removes it once they are applied', async () => {
    await stopWorkers();
    const source = sources[3] as TestSource;
    expect((await send(source, 'C')).status).to.equal(200);
    await stopIngress();
    expect(await set(2)).to.deep.equal({ status: 'still_waiting', unfinished: 1 });
    workers.push(startService('worker', { ...pipeline.env, QUEUE_SHARDS: '4' }));
    await pipeline.logged(source, 4);
    await stopWorkers();
    expect((await set(2)).status).to.equal('set');
    expect(await redis.keys(`{${pipeline.namespace}:[23]}:*`)).to.deep.equal([]);
    await start(2);
    const again = await postUntilTaken(url + source.path, first[3] as SignedRequest);
    expect(again.body.duplicate).to.equal(true);
    expect(shardOf(source.accountId, 2)).to.equal(1);
  });

  it('runs once at a time: a second run does nothing while the first moves accounts', async () => {
    await stopIngress();
    await stopWorkers();
    let goOn = () => {};
    const { store, namespace } = pipeline;
    const change = shardChange({ redis, store, namespace, replicas: 0 }, Date.now);
    let paused = false;
    const pause = () =>
      new Promise<void>((resolve) => {
        goOn = resolve;
        paused = true;
      });
    const first = setShards({ ...change, pause }, 4);
    await until(() => paused, { what: 'the first run is moving accounts' });
    const second = await command(3);
    expect(second.code).to.equal(75);
    expect(second.stderr).to.include('Another "sluice shards set" is running');
    goOn();
    expect((await first).status).to.equal('set');
    expect((await set(2)).status).to.equal('set');
  });

  it('if it was interrupted: no service starts until the command has completed', async () => {
    await stopIngress();
    await redis.set(`{${pipeline.namespace}:0}:shards`, 'moving 4');
    const service = startService('ingress', { ...pipeline.env, QUEUE_SHARDS: '2' });
    await until(() => service.ended() !== undefined, { withinMs: 90_000, what: 'the ingress has ended' });
    expect(service.ended()).to.equal(78);
    const switched = await sluice(['source', 'deactivate', (sources[0] as TestSource).sourceId], {
      env: pipeline.env,
    });
    expect(switched.code).to.equal(75);
    expect((await set(2)).status).to.equal('set');
    await start(2);
    expect((await send(sources[2] as TestSource, 'D')).status).to.equal(200);
  });
});
