import { createActivityReader } from '@sluice/monitoring/read-activity';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import type { DeadLetterBox } from '../../services/worker/src/ports.ts';
import { createActivityPublisher } from '../../services/worker/src/publish-activity.ts';
import { uniqueNamespace } from '../support/shared-redis.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { createSource, groupOf, upsert } from './support/groups.ts';
import { createPipeline } from './support/in-process.ts';
import { useTestStores } from './support/stores.ts';

describe('a group whose dead letter cannot be stored', () => {
  const stores = useTestStores();

  it('is retried until it succeeds, and its requests count once in the charts, also after a retry of the letter', async () => {
    const { redis, store, deadLetters } = stores;
    const resources = { redis, keyspace: createKeyspace(uniqueNamespace()) };
    const publisher = createActivityPublisher({ resources, logger: silentLogger(), trouble: () => null });
    let full = 2;
    const nearlyFull: DeadLetterBox = {
      add: (id, letter) =>
        full-- > 0 ? Promise.reject(new Error('OOM command not allowed')) : deadLetters.add(id, letter),
      remove: (id) => deadLetters.remove(id),
    };
    const pipeline = createPipeline(stores, {
      deadLetters: nearlyFull,
      log: publisher.listening(store.deliveries),
    });
    const source = createSource();
    const [good, bad] = [source.admit(upsert('Yoga', 'free')), source.admit(upsert('Chess', 'free'))];
    const group = { ...groupOf(), actions: [good, { ...bad, action: { kind: 'explode' } }] };

    for (const _ of [1, 2])
      expect(await pipeline.run(group).catch(() => 'given back')).to.equal('given back');
    expect([...(await stores.deliveries(source.source_id)).keys()]).to.deep.equal([good.delivery_id]);
    expect(await pipeline.run(group)).to.equal('done');
    const outcomes = async () => {
      const rows = await stores.deliveries(source.source_id);
      return [good, bad].map(({ delivery_id }) => rows.get(delivery_id)?.outcome);
    };
    expect(await outcomes()).to.deep.equal(['created', 'failed']);
    expect(await pipeline.run({ ...groupOf(bad), group_id: 'rerun_1' })).to.equal('done');
    expect(await outcomes()).to.deep.equal(['created', 'created']);
    await publisher.stop();

    const reader = createActivityReader(resources);
    const slots = await reader.read(source.source_id, 'hours', good.received_at, Date.now() + 1);
    const counted = slots.map(({ counts }) => counts.get('s:200') ?? 0).reduce((sum, one) => sum + one, 0);
    expect(counted).to.equal(2);
  });
});
