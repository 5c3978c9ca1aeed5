import { expect } from 'chai';
import { until } from '../support/until.ts';
import { cancel, createSource, groupOf, remove, repeated, upsert } from './support/groups.ts';
import { openTestStores, type TestStores } from './support/stores.ts';
import { startWorkerProcess, type WorkerProcess } from './support/worker-process.ts';

describe('a worker process', () => {
  let stores: TestStores;
  let worker: WorkerProcess;

  before(async () => {
    stores = await openTestStores();
    worker = await startWorkerProcess(stores.env);
    await worker.ready();
  });
  after(async () => {
    const code = await worker.end('SIGTERM');
    await stores?.close();
    expect(code).to.equal(0);
  });

  it('takes a group, writes its events and logs every delivery with its outcome', async () => {
    const source = createSource();
    const first = source.admit(upsert('Yoga', 'free'));
    const actions = [
      first,
      source.admit(upsert('Yoga', '5 EUR')),
      repeated(first),
      source.admit(cancel('Yoga')),
      source.admit(upsert('Chess', 'free')),
      source.admit(remove('Chess')),
      source.admit(cancel('Nothing')),
    ];
    await stores.producer.enqueueActions(groupOf(...actions));
    await until(async () => (await stores.deliveries(source.source_id)).size === 7);

    const rows = await stores.deliveries(source.source_id);
    const outcomes = actions.map(({ delivery_id }) => rows.get(delivery_id)?.outcome);
    expect(outcomes).to.deep.equal([
      'created',
      'updated',
      'duplicate',
      'cancelled',
      'created',
      'deleted',
      'not_found',
    ]);
    const events = [];
    for await (const event of stores.store.events.listEvents({ source_id: source.source_id }))
      events.push(event);
    expect(events).to.have.length(1);
    expect(events[0]).to.include({ title: 'Yoga', price: '5 EUR', status: 'cancelled' });
  });

  it('logs refused requests as rejected with their status and code', async () => {
    const source = createSource();
    await stores.producer.enqueueRefusals(source.refusals('No start', 'No start either'));
    await until(async () => (await stores.deliveries(source.source_id)).size === 2);
    for (const row of (await stores.deliveries(source.source_id)).values()) {
      expect(row).to.include({ outcome: 'rejected', http_status: 400, code: 'validation_failed', count: 1 });
    }
  });
});
