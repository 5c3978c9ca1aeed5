import { expect } from 'chai';
import { EVENT_WRITE, type MongoProxy, startMongoProxy } from '../support/mongo-proxy.ts';
import { startService } from '../support/service-process.ts';
import { until } from '../support/until.ts';
import { createSource, groupOf, upsert } from './support/groups.ts';
import { openTestStores, type TestStores } from './support/stores.ts';

describe('a worker that gets SIGTERM', () => {
  let stores: TestStores;
  let proxy: MongoProxy;

  beforeEach(async () => {
    stores = await openTestStores();
    proxy = await startMongoProxy(stores.mongoUrl);
  });
  afterEach(async () => {
    await proxy?.close();
    await stores?.close();
  });

  it('finishes its current groups, takes no new ones, and exits with 0', async () => {
    const worker = startService('worker', { ...stores.env, MONGO_URL: proxy.url, WORKER_CONCURRENCY: '1' });
    await worker.ready();
    const source = createSource();
    const [taken, waiting] = [
      groupOf(source.admit(upsert('Yoga', 'a'))),
      groupOf(source.admit(upsert('Yoga', 'b'))),
    ];
    const held = proxy.holdAt(EVENT_WRITE);
    await stores.producer.enqueueActions(taken);
    await held;
    await stores.producer.enqueueActions(waiting);

    const ended = worker.kill('SIGTERM');
    await until(() => worker.log.some(({ msg }) => msg === 'stopping'));
    proxy.letGo();
    await ended;
    expect(worker.ended()).to.equal(0);
    const rows = await stores.deliveries(source.source_id);
    expect([...rows.keys()]).to.deep.equal(taken.actions.map(({ delivery_id }) => delivery_id));
    expect((await stores.producer.backlog()).actions, 'the other group still waits').to.equal(1);
  });
});
