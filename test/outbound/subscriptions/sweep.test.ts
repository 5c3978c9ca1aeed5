import { sweepSubscriptions } from '@sluice/outbound/subscriptions/sweep';
import { expect } from 'chai';
import { addKey, made, useSubscriptions } from './support.ts';

describe('subscriptions: the sweep', () => {
  const used = useSubscriptions();

  it('pauses for expired keys also if it cannot ask for changes that were not published', async () => {
    const key = await addKey(used, undefined, Date.now() + 60_000);
    const { subscription } = await made(used, key);
    used.ahead = 120_000;
    const unpublished = () => Promise.reject(new Error('Redis is away'));
    const subscriptionDirectory = { ...used.deps.subscriptionDirectory, unpublished };
    const swept = sweepSubscriptions({ ...used.deps, subscriptionDirectory });
    expect(await swept.catch(({ message }: Error) => message)).to.equal(
      'publishing unpublished changes: Redis is away',
    );
    const { account_id, subscription_id } = subscription;
    const [left] = await used.store.subscriptions.listSubscriptions(account_id);
    expect(left).to.deep.include({ subscription_id });
    expect(left?.paused?.reason).to.equal('key_expired');
  });

  it('publishes the other accounts if some cannot be published, and reports how many', async () => {
    const accountIds = ['acc_1', 'acc_2', 'acc_3', 'acc_4'];
    const published: string[] = [];
    const subscriptionDirectory = {
      ...used.deps.subscriptionDirectory,
      unpublished: async () => accountIds,
      async republish(accountId: string) {
        if (accountId === 'acc_1' || accountId === 'acc_3') throw new Error('a key has the wrong type');
        published.push(accountId);
        return true;
      },
    };
    const swept = sweepSubscriptions({ ...used.deps, subscriptionDirectory });
    expect(await swept.catch(({ message }: Error) => message)).to.equal(
      'publishing unpublished changes: 2 failed, the first: acc_1: a key has the wrong type',
    );
    expect(published).to.deep.equal(['acc_2', 'acc_4']);
  });
});
