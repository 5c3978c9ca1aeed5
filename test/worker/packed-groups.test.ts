import { admittedDeliveryId } from '@sluice/contract/delivery/delivery-id';
import { GROUP_VERSION } from '@sluice/contract/delivery/groups';
import { packActions } from '@sluice/queue/packed-actions';
import { Queue } from 'bullmq';
import { expect } from 'chai';
import { actionsIn } from '../../services/worker/src/take/unpack-jobs.ts';
import { until } from '../support/until.ts';
import { createSource, upsert } from './support/groups.ts';
import { openTestStores, type TestStores } from './support/stores.ts';
import { startWorkerProcess, type WorkerProcess } from './support/worker-process.ts';

describe('packed groups', () => {
  let stores: TestStores;
  let worker: WorkerProcess;
  let queue: Queue;
  before(async () => {
    stores = await openTestStores();
    queue = new Queue('actions', { connection: stores.redis, prefix: stores.prefix });
    worker = await startWorkerProcess(stores.env);
    await worker.ready();
  });
  after(async () => {
    await worker?.end('SIGTERM');
    await queue?.close();
    await stores?.close();
  });

  /** A packed job of one action for each title, as an ingress makes it. */
  function packedJob(...titles: string[]) {
    const source = createSource();
    const admitted = titles.map((title) => source.admit(upsert(title, '5 €')));
    const sequences = admitted.map(({ sequence }) => sequence);
    const enqueued = admitted.map(({ delivery_id, duplicate_of, sequence, ...action }) => action);
    const group = { v: GROUP_VERSION, group_id: `grp_${source.source_id}`, sequences, repeated: [] };
    return { source, sequences, job: { ...group, packed: packActions(JSON.stringify(enqueued)) } };
  }

  it('are applied and logged like others', async () => {
    const { source, sequences, job } = packedJob('Übung 🎉', 'Chess');
    await queue.add('group', job);
    await until(async () => (await stores.deliveries(source.source_id)).size === 2, {
      what: 'both are logged',
    });
    const rows = await stores.deliveries(source.source_id);
    const outcomes = sequences.map((one) => rows.get(admittedDeliveryId(source.source_id, one))?.outcome);
    expect(outcomes).to.deep.equal(['created', 'created']);
    expect(await stores.deadLetters.count()).to.equal(0);
  });

  it('become one dead letter with all their content if they are damaged, and other groups are applied', async () => {
    const { job } = packedJob('Yoga', 'Choir');
    const damaged = { ...job, packed: `AAAA${job.packed.slice(4)}` };
    const { source, job: sound } = packedJob('Running');
    await queue.add('group', damaged);
    await queue.add('group', sound);
    await until(async () => (await stores.deliveries(source.source_id)).size === 1, { what: 'it is logged' });
    await until(async () => (await stores.deadLetters.count()) === 1, { what: 'the letter is stored' });
    const [letter] = await stores.deadLetters.list(10);
    expect(letter?.action).to.deep.equal(damaged);
    expect(letter?.reason).to.equal('The job contains no list of actions.');
  });

  it('are weighed by the actions in them', () => {
    expect(actionsIn(packedJob('Yoga', 'Chess', 'Choir').job)).to.equal(3);
    expect(actionsIn({ packed: 'damaged' })).to.equal(1);
  });
});
