import { dropDeadLetter, retryDeadLetter } from '@sluice/accounts/dead-letters/dead-letters';
import { type DeadLetter, GROUP_VERSION } from '@sluice/contract/delivery/groups';
import { createDeadLetters, type DeadLetters } from '@sluice/queue/dead-letters';
import { createProducer, type Producer } from '@sluice/queue/producer';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { sharedRedisUrl, uniqueNamespace } from '../support/shared-redis.ts';
import { errorOf } from './support.ts';

const action = { delivery_id: 'dlv_1', sequence: 1_795_250_000_000_001, from: 'a version to come' };
const letter: DeadLetter = { v: GROUP_VERSION, failed_at: 5, reason: 'MongoDB 121', action };

describe('dead letters', () => {
  let redis: Redis;
  let deadLetters: DeadLetters;
  let producer: Producer;

  beforeEach(async () => {
    redis = new Redis(sharedRedisUrl());
    await redis.ping();
    const { prefix } = createKeyspace(uniqueNamespace('letters'));
    deadLetters = createDeadLetters({ redis, prefix });
    producer = createProducer({ redis, prefix });
    await deadLetters.add('dlv_1', letter);
  });
  afterEach(async () => {
    await deadLetters?.close();
    await producer?.close();
    redis?.disconnect();
  });

  it('are enqueued unchanged on retry, and stay until a worker has applied them', async () => {
    const groups: unknown[] = [];
    const watched: Pick<Producer, 'enqueueActions' | 'enqueueRefusals'> = {
      enqueueRefusals: (group) => producer.enqueueRefusals(group),
      async enqueueActions(group) {
        groups.push(group);
        await producer.enqueueActions(group);
      },
    };
    expect(await retryDeadLetter({ deadLetters, producer: watched }, 'dlv_1')).to.deep.equal({
      status: 'retried',
    });
    expect(groups).to.have.length(1);
    expect(groups[0]).to.deep.include({ v: GROUP_VERSION, actions: [action] });
    expect((groups[0] as { group_id: string }).group_id).to.match(/^rerun_/);
    expect(await producer.backlog()).to.deep.equal({ actions: 1, refusals: 0 });
    expect(await deadLetters.list(10)).to.have.length(1);
  });

  it('stay when they cannot be enqueued', async () => {
    const closed = () => Promise.reject(new Error('Connection is closed.'));
    const away = { enqueueActions: closed, enqueueRefusals: closed };
    expect(await errorOf(retryDeadLetter({ deadLetters, producer: away }, 'dlv_1'))).to.be.instanceOf(Error);
    expect(await deadLetters.list(10)).to.deep.equal([{ delivery_id: 'dlv_1', ...letter }]);
  });

  it('are deleted permanently when dropped', async () => {
    expect(await dropDeadLetter({ deadLetters }, 'dlv_1')).to.deep.equal({ status: 'dropped' });
    expect(await deadLetters.list(10)).to.deep.equal([]);
    expect(await producer.backlog()).to.deep.equal({ actions: 0, refusals: 0 });
  });

  it('can be neither retried nor dropped if they do not exist', async () => {
    expect(await retryDeadLetter({ deadLetters, producer }, 'dlv_2')).to.deep.equal({
      status: 'letter_not_found',
    });
    expect(await dropDeadLetter({ deadLetters }, 'dlv_2')).to.deep.equal({ status: 'letter_not_found' });
  });
});
