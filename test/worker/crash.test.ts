import { expect } from 'chai';
import { EVENT_WRITE, LOG_WRITE, startMongoProxy } from '../support/mongo-proxy.ts';
import { startService } from '../support/service-process.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { cancel, createSource, groupOf, remove, upsert } from './support/groups.ts';
import { openTestStores } from './support/stores.ts';

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
  const stores = use(openTestStores);
  let takenOver: Promise<unknown>;
  const held: Awaited<ReturnType<typeof holdAt>>[] = [];

  // Waiting for the locks takes longest, so both cases wait at the same time, for the same other worker.
  before(async () => {
    for (const message of [EVENT_WRITE, LOG_WRITE]) held.push(await holdAt(message));
    const second = startService('worker', stores.env);
    await second.ready();
    for (const { kill } of held) await kill();
    takenOver = (async () => {
      for (const { outcomes } of held)
        await until(async () => (await outcomes()).every((outcome) => outcome !== undefined), {
          withinMs: 120_000,
          what: 'another worker finished the group',
        });
    })().finally(() => second.kill('SIGTERM'));
  });
  after(async () => {
    for (const { close } of held) await close();
  });

  /** A worker with a group, which waits at this message to MongoDB. It takes no second group. */
  async function holdAt(message: RegExp) {
    const proxy = await startMongoProxy(stores.mongoUrl);
    const source = createSource();
    const group = groupOf(...KINDS.map((action) => source.admit(action)));
    const worker = startService('worker', {
      ...stores.env,
      MONGO_URL: proxy.url,
      WORKER_CONCURRENCY: '1',
    });
    await worker.ready();
    const isHeld = proxy.holdAt(message);
    await stores.producer.enqueueActions(group);
    await isHeld;
    return {
      kill: () => worker.kill('SIGKILL'),
      close: () => proxy.close(),
      async outcomes() {
        const rows = await stores.deliveries(source.source_id);
        return group.actions.map(({ delivery_id }) => rows.get(delivery_id)?.outcome);
      },
    };
  }

  it('before it wrote the events has its group finished by another worker', async () => {
    await takenOver;
    expect(await held[0]?.outcomes()).to.deep.equal(ONE_RUN);
  });

  it('between the events and the log has its group logged by another worker', async () => {
    await takenOver;
    expect(await held[1]?.outcomes()).to.deep.equal(ONE_RUN);
  });
});
