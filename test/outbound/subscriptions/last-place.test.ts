import { changeSubscription } from '@sluice/outbound/subscriptions/change-subscription';
import type { ApiKey } from '@sluice/store/accounts/api-keys';
import type { Subscriptions } from '@sluice/store/subscriptions/subscriptions';
import { expect } from 'chai';
import { addKey, create, made, URL_1, useSubscriptions } from './support.ts';

const LIMIT = 3;
const LIVE = { client: { mode: 'live' } } as const;

describe('subscriptions: the last place of an account', () => {
  const used = useSubscriptions({ limit: LIMIT });
  let key: ApiKey;
  beforeEach(async () => {
    key = await addKey(used);
    for (const name of ['x', 'y']) await made(used, key, { target_url: `${URL_1}/${name}` });
  });

  const addTest = async (name: string) => {
    const body = { target_url: `${URL_1}/${name}`, client: { mode: 'test' } };
    return (await made(used, key, body)).subscription.subscription_id;
  };
  const goLive = (subscriptionId: string, deps = used.deps) =>
    changeSubscription(deps, { accountId: key.account_id, subscriptionId, keyId: key.key_id, patch: LIVE });
  const live = async () => {
    const own = await used.store.subscriptions.listSubscriptions(key.account_id);
    return own.filter(({ ephemeral }) => !ephemeral).length;
  };
  /** Dependencies whose first two writes to a test wait for each other: both writers have found the last place free. */
  const meeting = () => {
    let met: () => void = () => {};
    const both = new Promise<void>((resolve) => {
      met = resolve;
    });
    let writes = 0;
    const replaceSubscription: Subscriptions['replaceSubscription'] = async (subscription) => {
      writes += 1;
      if (writes === 2) met();
      await both;
      return used.store.subscriptions.replaceSubscription(subscription);
    };
    return { ...used.deps, subscriptions: { ...used.store.subscriptions, replaceSubscription } };
  };

  it('goes to one of two tests that go live at the same time, by a change', async () => {
    const ids = [await addTest('a'), await addTest('b')];
    const deps = meeting();
    const all = await Promise.all(ids.map((id) => goLive(id, deps)));
    expect(all.map(({ status }) => status)).to.have.members(['changed', 'limit_reached']);
    expect(await live()).to.equal(LIMIT);
  });

  it('goes to one of two tests that go live at the same time, by a create', async () => {
    for (const name of ['a', 'b']) await addTest(name);
    const meet = { ...used, deps: meeting() };
    const all = await Promise.all(
      ['a', 'b'].map((name) => create(meet, key, { target_url: `${URL_1}/${name}` })),
    );
    expect(all.map(({ status }) => status)).to.have.members(['existing', 'limit_reached']);
    expect(await live()).to.equal(LIMIT);
  });

  it('is not given a second time to a create that began earlier and wrote later', async () => {
    let free: () => void = () => {};
    const later = new Promise<void>((resolve) => {
      free = resolve;
    });
    const insertSubscription: Subscriptions['insertSubscription'] = async (subscription) => {
      await later;
      return used.store.subscriptions.insertSubscription(subscription);
    };
    const deps = { ...used.deps, subscriptions: { ...used.store.subscriptions, insertSubscription } };
    const early = create({ ...used, deps }, key, { target_url: `${URL_1}/early` });
    // Its clock is ahead, as that of another server may be.
    used.ahead = 1000;
    expect((await create(used, key, { target_url: `${URL_1}/late` })).status).to.equal('created');
    free();
    expect(await early).to.deep.equal({ status: 'limit_reached', limit: LIMIT });
    expect(await live()).to.equal(LIMIT);
  });
});
