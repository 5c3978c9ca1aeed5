import { expect } from 'chai';
import { atMostMs, watchMachine } from '../faults/support/machine-lag.ts';
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
/** docs/running.md: a lock lasts 10 s, and another worker checks every 2 s for expired locks. */
const TAKEN_OVER_WITHIN_MS = 15_000;
/** Time to apply and log the group after the takeover. */
const APPLYING_MS = 500;

/** How another worker finished a killed worker's group. */
interface TakenOver {
  readonly outcomes: readonly (string | undefined)[];
  /** Time from the kill until everything was applied and logged, by the same clock. */
  readonly afterMs: number;
  /** Worst lag of the machine during that time. */
  readonly lagMs: number;
}

describe('a worker that is killed', function () {
  this.timeout(240_000);
  let kills: Promise<TakenOver>[];

  // Waiting for the locks takes longest, so both cases wait at the same time.
  before(() => {
    kills = [EVENT_WRITE, LOG_WRITE].map(killAt);
  });

  function expectInTime({ outcomes, afterMs, lagMs }: TakenOver): void {
    expect(outcomes).to.deep.equal(ONE_RUN);
    expect(afterMs, `the machine was up to ${lagMs} ms late`).to.be.below(
      atMostMs(TAKEN_OVER_WITHIN_MS + APPLYING_MS, lagMs),
    );
  }

  it('before it wrote the events has its group finished by another worker within 15 s', async () => {
    expectInTime((await kills[0]) as TakenOver);
  });

  it('between the events and the log has its group logged by another worker within 15 s', async () => {
    expectInTime((await kills[1]) as TakenOver);
  });
});

/** Kills a worker with SIGKILL at a given message to MongoDB, and lets another worker finish. */
async function killAt(message: RegExp): Promise<TakenOver> {
  const stores = await openTestStores();
  const proxy = await startMongoProxy(stores.mongoUrl);
  const source = createSource();
  const group = groupOf(...KINDS.map((action) => source.admit(action)));

  const first = await startWorkerProcess({ ...stores.env, MONGO_URL: proxy.url });
  await first.ready();
  const held = proxy.holdAt(message);
  await stores.producer.enqueueActions(group);
  await held;
  // A second worker is already running, as usual with several workers. It can't get the first one's group earlier.
  const second = await startWorkerProcess(stores.env);
  await second.ready();
  const machine = await watchMachine();
  const killedAt = Date.now();
  await first.end('SIGKILL');

  const logged = async () => (await stores.deliveries(source.source_id)).size === KINDS.length;
  let lagMs = 0;
  try {
    await until(logged, { what: 'another worker finished the group' });
  } finally {
    lagMs = Math.round(await machine.stop());
  }
  const rows = await stores.deliveries(source.source_id);
  await second.end('SIGTERM');
  await proxy.close();
  await stores.close();
  const appliedAt = Math.max(...[...rows.values()].map(({ applied_at }) => applied_at as number));
  return {
    outcomes: group.actions.map(({ delivery_id }) => rows.get(delivery_id)?.outcome),
    afterMs: appliedAt - killedAt,
    lagMs,
  };
}
