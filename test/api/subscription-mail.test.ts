import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { useMails } from './support/use-mails.ts';

describe('api: mail about webhook subscriptions', () => {
  const { api, smtp, closeApi } = useMails();

  it('reaches the owners within 10 s of the pause, once from two API servers', async () => {
    const { store } = api();
    const accountId = await api().addAccount('Concert hall');
    const owner = await api().addPerson(accountId, 'owner');
    await api().addPerson(accountId, 'viewer');
    const at = Date.now();
    const failing: Subscription = {
      ...{ subscription_id: 'sub_1', account_id: accountId, key_id: null, url_key: 'a', name: 'New leads' },
      ...{ target_url: 'https://hooks.example.com/a', events: ['*'], ordered: false, filter: {} },
      ...{ client: null, ephemeral: false, secrets: [], version: 1, created_at: at, updated_at: at },
      paused: { reason: 'failing', at },
    };
    await store.subscriptions.insertSubscription(failing);
    await until(() => smtp().mails.length > 0, { what: 'a mail' });
    await until(async () => {
      const found = await store.subscriptions.findSubscription(accountId, 'sub_1');
      return found?.paused?.told_at !== undefined;
    });
    await closeApi();
    expect(smtp().mails.map(({ to }) => to)).to.deep.equal([[owner.me.user.email]]);
    const [mail] = smtp().mails;
    expect(mail?.raw).to.contain('Subject: A webhook subscription in Sluice needs attention');
    expect(mail?.raw).to.contain('of the account Concert hall needs attention');
    expect(mail?.raw).to.contain('https://sluice.example.com/settings/webhooks/sub_1/messages');
  });
});
