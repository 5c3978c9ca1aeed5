import type { ChannelCreated } from '@sluice/dashboard-api/channels';
import type { WebhookItem, WebhookWithSecret } from '@sluice/dashboard-api/webhooks';
import { expect } from 'chai';
import { useBrowser } from './support/browser.ts';
import { addSource, callAs } from './support/source.ts';

describe('browser: a filter for something that was deleted', () => {
  const at = useBrowser({ env: { OUTBOUND_PRIVATE_NETWORKS: 'true' } });

  it('is named in the settings of a subscription, and can be removed', async () => {
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
    const { webhook } = await callAs<WebhookWithSecret>(at.stack, owner, 'POST', '/webhooks', {
      ...{ target_url: 'http://127.0.0.1:8443/hooks', events: ['event.created'], name: 'CRM' },
      filter: { source_id: source.id },
    });
    await callAs(at.stack, owner, 'POST', `/sources/${source.id}/delete`, { events: 'keep' });
    const page = await at.open(`/settings/webhooks/${webhook.id}/settings`, owner);
    const select = page.getByLabel('Events of');
    await select
      .getByRole('option', { name: 'Deleted source', selected: true })
      .waitFor({ state: 'attached' });
    await select.selectOption({ label: 'All sources' });
    await page.getByRole('button', { name: 'Save subscription' }).click();
    await page.getByText('Subscription saved.').waitFor();
    const stored = await callAs<WebhookItem>(at.stack, owner, 'GET', `/webhooks/${webhook.id}`);
    expect(stored.filter.source_id ?? null).to.equal(null);
  });

  it('is named above the leads and above the conversations, and can be removed', async () => {
    const owner = await at.stack.addPerson('owner');
    await callAs<ChannelCreated>(at.stack, owner, 'POST', '/channels', { name: 'Chat' });
    for (const [path, label, gone, all] of [
      ['/leads?stage=stg_gone', 'Stage', 'Deleted stage', 'Any stage'],
      ['/conversations?channel=chn_gone', 'Channel', 'Deleted channel', 'Any channel'],
    ] as const) {
      const page = await at.open(path, owner);
      const select = page.getByLabel(label, { exact: true });
      await select.getByRole('option', { name: gone, selected: true }).waitFor({ state: 'attached' });
      await select.selectOption({ label: all });
      await page.waitForURL((url) => url.search === '');
    }
  });
});
