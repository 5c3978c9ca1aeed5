import { Queue } from 'bullmq';
import { expect } from 'chai';
import { type MongoProxy, startMongoProxy } from '../support/mongo-proxy.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { until } from '../support/until.ts';
import { createSource, groupOf, upsert } from './support/groups.ts';
import { openTestStores, type TestStores } from './support/stores.ts';

describe('worker: while MongoDB is unavailable', function () {
  this.timeout(240_000);
  let stores: TestStores;
  let proxy: MongoProxy;
  let worker: ServiceProcess;
  let queue: Queue;

  beforeEach(async () => {
    stores = await openTestStores();
    proxy = await startMongoProxy(stores.mongoUrl);
    queue = new Queue('actions', { connection: stores.redis, prefix: stores.prefix });
  });
  afterEach(async () => {
    await worker?.kill('SIGTERM');
    await queue?.close();
    await proxy?.close();
    await stores?.close();
  });

  const start = async () => {
    worker = startService('worker', { ...stores.env, MONGO_URL: proxy.url });
  };
  const readyz = async () => (await fetch(`${worker.adminUrl()}/readyz`)).status;
  const awayTimes = () => worker.log.filter(({ event }) => event === 'store.away').length;
  const waits = () => awayTimes() > 0;

  it('keeps accepted actions without using up attempts, applies them when MongoDB is back, and returns them when it stops', async () => {
    await start();
    await worker.ready();
    proxy.shut();
    const source = createSource();
    const groups = ['Yoga', 'Chess', 'Choir'].map((title) => groupOf(source.admit(upsert(title, 'free'))));
    for (const group of groups) await stores.producer.enqueueActions(group);
    await until(waits, { what: 'the worker logs that it waits' });
    await until(async () => (await readyz()) === 503, { what: 'the worker is not ready' });
    const jobs = await queue.getJobs(['active']);
    expect(jobs.map((job) => [job.attemptsMade, job.failedReason])).to.deep.equal([
      [0, undefined],
      [0, undefined],
      [0, undefined],
    ]);

    proxy.open();
    await until(async () => (await stores.deliveries(source.source_id)).size === 3);
    const outcomes = [...(await stores.deliveries(source.source_id)).values()].map(({ outcome }) => outcome);
    expect(outcomes).to.deep.equal(['created', 'created', 'created']);
    await until(async () => (await readyz()) === 200, { what: 'the worker is ready again' });
    expect(await queue.getJobCountByTypes('failed', 'waiting', 'delayed')).to.equal(0);
    const logged = worker.log
      .map(({ event }) => event)
      .filter((event) => event === 'store.away' || event === 'store.back');
    expect(logged, 'one line per change, not per attempt').to.deep.equal(['store.away', 'store.back']);

    proxy.shut();
    await stores.producer.enqueueActions(groupOf(source.admit(upsert('Dance', 'free'))));
    await until(() => awayTimes() === 2, { what: 'the worker logs that it waits again' });
    await worker.kill('SIGTERM');
    expect(worker.ended()).to.equal(0);
    const [job, ...others] = await queue.getJobs(['waiting']);
    expect(others).to.deep.equal([]);
    expect(job?.attemptsMade).to.equal(0);
    expect(await queue.getJobCountByTypes('active', 'failed', 'delayed')).to.equal(0);
  });

  it('lets a starting worker wait for MongoDB before it takes groups', async () => {
    proxy.shut();
    await start();
    const source = createSource();
    await stores.producer.enqueueActions(groupOf(source.admit(upsert('Yoga', 'free'))));
    await until(waits, { what: 'the worker logs that it waits' });
    expect(await queue.getActiveCount(), 'no group is taken before the indexes exist').to.equal(0);
    expect(await readyz()).to.equal(503);
    proxy.open();
    await until(async () => (await stores.deliveries(source.source_id)).size === 1);
  });
});
