import { expect } from 'chai';
import { dyingBehindAChange } from '../support/dying-behind-a-change.ts';
import { URL_1, useWebhooks } from '../support/use-webhooks.ts';

describe('api: changes of webhook subscriptions by an API server that dies behind them', () => {
  const { api, accountId, call, subscribe } = useWebhooks();

  const entries = async () => {
    const { items } = await api().store.auditLog.pageEntries({ account_id: accountId(), limit: 100 });
    return items.map(({ action, target, unconfirmed = false }) => ({
      action,
      name: target.name,
      unconfirmed,
    }));
  };
  const dying = <T>(work: () => PromiseLike<T>) => dyingBehindAChange(api().store, work);
  const NAMED = encodeURIComponent(URL_1);
  const MADE = { action: 'webhook.created', name: '1.1.1.1', unconfirmed: false };

  for (const [what, action, change] of [
    ['a change', 'webhook.changed', (id: string) => call('patch', `/${id}`, { body: { ordered: true } })],
    [
      'a rotation',
      'webhook.secret_rotated',
      (id: string) => call('post', `/${id}/rotate-secret`, { body: {} }),
    ],
    ['a deletion', 'webhook.deleted', (id: string) => call('delete', `/${id}`)],
    ['a deletion by URL', 'webhook.deleted', () => call('delete', `?url=${NAMED}`)],
  ] as const)
    it(`${what} has an entry that is not confirmed`, async () => {
      const { id } = (await subscribe()).body;
      expect((await dying(() => change(id))).status).to.equal(500);
      expect(await entries()).to.deep.equal([{ ...MADE, action, unconfirmed: true }, MADE]);
    });

  it('a create has one that is not confirmed, and that a repeat with the same Idempotency-Key confirms', async () => {
    const create = () =>
      call('post', '', {
        body: { url: URL_1, event: 'lead.created' },
        headers: { 'idempotency-key': 'once' },
      });
    expect((await dying(create)).status).to.equal(500);
    const [made] = await api().store.subscriptions.listSubscriptions(accountId());
    expect(await entries()).to.deep.equal([{ ...MADE, unconfirmed: true }]);
    expect((await create()).body.id).to.equal(made?.subscription_id);
    expect(await entries()).to.deep.equal([MADE]);
  });

  it('a stream has one that is not confirmed', async () => {
    expect((await dying(() => call('post', '/streams', { body: {} }))).status).to.equal(500);
    expect(await entries()).to.deep.equal([{ ...MADE, name: 'sluice listen', unconfirmed: true }]);
  });

  it('a create of a URL that is subscribed already, and one that is rejected, leave none', async () => {
    await subscribe();
    expect((await subscribe()).status).to.equal(200);
    expect((await subscribe({ target_url: 'https://10.0.0.1/' })).status).to.equal(400);
    expect((await call('delete', '/sub_none')).status).to.equal(204);
    expect(await entries()).to.deep.equal([MADE]);
  });
});
