import { eachApart } from '@sluice/outbound/subscriptions/each-apart';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { sharedRedisUrl, uniqueNamespace } from '../../support/shared-redis.ts';

const ITEMS = Array.from({ length: 20 }, (_, item) => item);

/** Works on the items, of which some fail. Resolves to those that were tried, and to the message of the error. */
async function tryEach(errorOf: (item: number) => unknown) {
  const tried: number[] = [];
  const work = async (item: number) => {
    tried.push(item);
    const error = errorOf(item);
    if (error !== undefined) throw error;
  };
  const message = await eachApart(ITEMS, work, (item) => `item ${item}`).then(
    () => undefined,
    (error: Error) => error.message,
  );
  return { tried, message };
}

describe('subscriptions: work on each item', () => {
  let timeout: Error;
  before(async () => {
    const redis = new Redis(sharedRedisUrl(), { commandTimeout: 1 });
    redis.on('error', () => undefined);
    timeout = await redis.blpop(uniqueNamespace(), 0).then(
      () => expect.fail('there is nothing to pop'),
      (error: Error) => error,
    );
    redis.disconnect();
  });

  it('ends after 5 items while Redis is frozen', async () => {
    const { tried, message } = await tryEach(() => timeout);
    expect(tried).to.deep.equal(ITEMS.slice(0, 5));
    expect(message).to.equal('5 of 5 failed, the first: item 0: Command timed out');
  });

  it('goes on if one of the first items is done, or fails for another reason', async () => {
    for (const other of [undefined, new Error('a bug')]) {
      const { tried, message } = await tryEach((item) => (item === 3 ? other : timeout));
      expect(tried).to.deep.equal(ITEMS);
      expect(message).to.match(other === undefined ? /^19 of 20 failed/ : /^20 of 20 failed/);
    }
  });

  it('goes on after failures that cost no time', async () => {
    expect((await tryEach(() => new Error('a bug'))).tried).to.deep.equal(ITEMS);
  });
});
