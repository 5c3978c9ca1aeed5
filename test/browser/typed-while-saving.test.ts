import type { ChannelCreated } from '@sluice/dashboard-api/channels';
import type { LeadItem } from '@sluice/dashboard-api/leads';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import type { WebhookWithSecret } from '@sluice/dashboard-api/webhooks';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { useBrowser } from './support/browser.ts';
import { hold } from './support/held.ts';
import { addLead } from './support/leads.ts';
import { addSource, callAs } from './support/source.ts';
import type { Person } from './support/stack.ts';

describe('browser: what is typed while a save runs', () => {
  const at = useBrowser({ env: { OUTBOUND_PRIVATE_NETWORKS: 'true' } });
  let admin: Person;
  before(async () => {
    admin = await at.stack.addPerson('admin');
  });

  /** Saves a field, goes on typing, and lets the save succeed. */
  const typeWhileSaving = async (
    page: Page,
    saves: {
      readonly field: Locator;
      readonly button: string;
      readonly request: string;
      readonly done: string;
    },
  ) => {
    const [method = '', path = ''] = saves.request.split(' ');
    const held = await hold(page, `${DASHBOARD_API}${path}`, method);
    await saves.field.fill('https://one.example.com/');
    await page.getByRole('button', { name: saves.button }).click();
    await held.asked;
    await saves.field.fill('https://two.example.com/');
    await held.release();
    await page.getByText(saves.done).waitFor();
    expect(await saves.field.inputValue()).to.equal('https://two.example.com/');
  };

  it('stays in the form of a lead, and is saved by the next save', async () => {
    const lead = await addLead(at.stack, admin, { name: 'Ada' });
    const page = await at.open(`/leads?lead=${lead.id}`, admin);
    const drawer = page.getByRole('dialog', { name: 'Lead', exact: true });
    const path = `/leads/${lead.id}`;
    const field = drawer.getByLabel('Note', { exact: true });
    await typeWhileSaving(page, {
      ...{ field, button: 'Save changes', request: `PATCH ${path}`, done: 'Lead saved.' },
    });
    expect(await drawer.getByText('while you edited it').count(), 'warnings').to.equal(0);
    await drawer.getByRole('button', { name: 'Save changes' }).click();
    await drawer.getByRole('button', { name: 'Save changes' }).waitFor({ state: 'detached' });
    const stored = await callAs<LeadItem>(at.stack, admin, 'GET', path);
    expect(stored.note).to.equal('https://two.example.com/');
  });

  it('stays in the note for the history of a lead', async () => {
    const lead = await addLead(at.stack, admin, { name: 'Noted' });
    const page = await at.open(`/leads?lead=${lead.id}`, admin);
    const field = page.getByLabel('Note for the history');
    const request = `POST /leads/${lead.id}/stage`;
    await typeWhileSaving(page, { field, button: 'Add note', request, done: 'Note added to the history.' });
  });

  it('stays in the settings of a source', async () => {
    const source = await addSource(at.stack, admin);
    const page = await at.open(`/events/webhook/${source.id}/settings`, admin);
    const field = page.getByLabel('Name', { exact: true });
    const request = `PATCH /sources/${source.id}`;
    await typeWhileSaving(page, { field, button: 'Save settings', request, done: 'Settings saved.' });
  });

  it('stays in the settings of a channel and of a subscription', async () => {
    const { channel } = await callAs<ChannelCreated>(at.stack, admin, 'POST', '/channels', { name: 'Chat' });
    const page = await at.open(`/settings/channels/${channel.channel_id}/settings`, admin);
    await typeWhileSaving(page, {
      field: page.getByLabel('Reply URL'),
      button: 'Save replies and leads',
      request: `PATCH /channels/${channel.channel_id}`,
      done: 'Replies and leads saved.',
    });
    const { webhook } = await callAs<WebhookWithSecret>(at.stack, admin, 'POST', '/webhooks', {
      ...{ target_url: 'http://127.0.0.1:8443/hooks', events: ['lead.created'], name: 'CRM' },
    });
    const other = await at.open(`/settings/webhooks/${webhook.id}/settings`, admin);
    await typeWhileSaving(other, {
      field: other.getByLabel('Name'),
      button: 'Save subscription',
      request: `PATCH /webhooks/${webhook.id}`,
      done: 'Subscription saved.',
    });
  });
});
