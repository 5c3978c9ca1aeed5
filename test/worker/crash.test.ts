import { expect } from 'chai';
import { EVENT_WRITE, LOG_WRITE, startMongoProxy } from '../support/mongo-proxy.ts';
import { until } from '../support/until.ts';
import { cancel, createSource, groupOf, remove, upsert } from './support/groups.ts';
import { openTestStores } from './support/stores.ts';
import { startWorkerProcess } from './support/worker-process.ts';

const KINDS = [
  upsert('Yoga', 'a'),
  upsert('Yoga', 'b'),
  cancel('Yoga'),
  upsert('Chess', 'a'),
  remove('Chess'),
];
const ONE_RUN = ['created', 'updated', 'cancelled', 'created', 'deleted'];

describe('a worker that is killed', function () {
  this.timeout(240_000);
  let outcomes: Promise<(string | undefined)[]>[];

  // Until a lock runs out takes longest; so both wait for theirs at the same time.
  before(() => {
    outcomes = [EVENT_WRITE, LOG_WRITE].map(killAt);
  });

  it('before it wrote the events: another worker finishes its group', async () => {
    expect(await outcomes[0]).to.deep.equal(ONE_RUN);
  });

  it('between the events and the log: another worker logs what the first one did', async () => {
    expect(await outcomes[1]).to.deep.equal(ONE_RUN);
  });
});

/** Kills a worker by SIGKILL at a certain message to MongoDB, and lets another finish; outcomes in order. */
async function killAt(message: RegExp): Promise<(string | undefined)[]> {
  const stores = await openTestStores();
  const proxy = await startMongoProxy(stores.mongoUrl);
  const source = createSource();
  const group = groupOf(...KINDS.map((action) => source.admit(action)));

  const first = await startWorkerProcess({ ...stores.env, MONGO_URL: proxy.url });
  await first.ready();
  const held = proxy.holdAt(message);
  await stores.producer.enqueueActions(group);
  await held;
  await first.end('SIGKILL');

  const second = await startWorkerProcess(stores.env);
  const logged = async () => (await stores.deliveries(source.source_id)).size === KINDS.length;
  await until(logged, { what: 'another worker finished the group' });
  const rows = await stores.deliveries(source.source_id);
  await second.end('SIGTERM');
  await proxy.close();
  await stores.close();
  return group.actions.map(({ delivery_id }) => rows.get(delivery_id)?.outcome);
}
