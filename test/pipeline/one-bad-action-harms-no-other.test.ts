import { type AdmittedAction, GROUP_VERSION } from '@sluice/contract/delivery/groups';
import { createDeadLetters } from '@sluice/queue/dead-letters';
import { createProducer } from '@sluice/queue/producer';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { usePipeline } from '../support/pipeline.ts';
import { useRedisClient } from '../support/redis-client.ts';

/**
 * Guarantee 7: an action that can never be applied fails and becomes a dead letter. The rest of its group is applied.
 */
describe('guarantee 7: one bad action harms no other', () => {
  const pipeline = usePipeline({ ingress: 0, workers: 1 });
  const redis = useRedisClient(() => pipeline.redis.url);

  it('applies 49 actions of a group of fifty, and logs one as failed with its reason', async () => {
    const source = await pipeline.addSource();
    const { prefix } = createKeyspace(pipeline.namespace);
    const action = (i: number): AdmittedAction => ({
      delivery_id: `dlv_${i}`,
      request_id: `req_${i}`,
      source_id: source.sourceId,
      account_id: source.accountId,
      sequence: Date.now() * 1000 + i,
      received_at: Date.now(),
      duplicate_of: null,
      action: {
        kind: 'upsert',
        identity: { title: `Event ${i}`, starts_at: 0, location: '' },
        content: {},
        status: 'upcoming',
      },
    });
    const actions = Array.from({ length: 50 }, (_, i) => action(i));
    // A kind of action that no version of this service has ever enqueued.
    actions[17] = { ...action(17), action: { ...action(17).action, kind: 'explode' as never } };
    const producer = createProducer({ redis, prefix });
    await producer.enqueueActions({ v: GROUP_VERSION, group_id: 'grp_test', actions });
    await producer.close();

    const rows = await pipeline.logged(source, 50);
    const failed = rows.filter((row) => row.outcome === 'failed');
    expect(failed.map((row) => row.delivery_id)).to.deep.equal(['dlv_17']);
    expect(failed[0]?.reason).to.be.a('string').and.have.length.above(10);
    expect(rows.filter((row) => row.outcome === 'created')).to.have.length(49);
    expect(await pipeline.events(source)).to.have.length(49);

    const letters = createDeadLetters({ redis, prefix });
    const letter = await letters.get('dlv_17');
    expect(letter?.reason).to.equal(failed[0]?.reason);
    expect(letter?.action).to.deep.equal(actions[17]);
    await letters.close();
  });
});
