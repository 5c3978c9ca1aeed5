import { newId } from '@sluice/credentials/ids';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { expect } from 'chai';
import { VERIFY_SAMPLES } from '../../services/dashboard/src/samples/verify.ts';
import { expectSound } from './support/axe.ts';
import { useBrowser } from './support/browser.ts';
import type { Person } from './support/stack.ts';

describe('browser: webhook subscriptions that need attention', () => {
  const at = useBrowser();
  let owner: Person;
  let id: string;
  before(async () => {
    owner = await at.stack.addPerson('owner');
    const { store, accountId } = at.stack;
    const now = Date.now();
    const make = (name: string, paused: Subscription['paused']): Subscription => ({
      subscription_id: newId('sub'),
      account_id: accountId,
      key_id: null,
      url_key: name,
      name,
      target_url: `https://hooks.example.com/${encodeURIComponent(name)}`,
      events: ['lead.created'],
      ordered: false,
      filter: {},
      client: null,
      ephemeral: false,
      secrets: [],
      version: 1,
      created_at: now,
      updated_at: now,
      ...(paused !== undefined && { paused }),
    });
    const failing = make('New leads to the CRM', { reason: 'failing', at: now - 3_600_000 });
    id = failing.subscription_id;
    const expired = make('Newsletter', { reason: 'key_expired', at: now - 60_000 });
    for (const one of [failing, expired]) await store.subscriptions.insertSubscription(one);
    const refused = {
      account_id: accountId,
      key_id: 'key_1',
      target_url: 'http://localhost:5678/webhook/x',
      code: 'validation_failed',
      detail: 'Use an https URL with a public address.',
      client: 'n8n',
    } as const;
    await store.refusedSubscriptions.noteRefused(refused, now);
  });

  it('are on the Overview of admins, with a link to each', async () => {
    const page = await at.open('/', owner);
    const need = (text: string) => page.getByRole('listitem').filter({ hasText: text });
    await need('1 webhook subscription was rejected in the last 24 hours').getByText('by n8n').waitFor();
    await need('Newsletter').getByRole('link', { name: 'Adopt or delete it' }).waitFor();
    await need('New leads to the CRM').getByRole('link', { name: 'See why' }).click();
    await page.waitForURL(`**/settings/webhooks/${id}/messages`);

    const viewer = await at.open('/', await at.stack.addPerson('viewer'));
    await viewer.getByRole('heading', { name: 'Overview' }).waitFor();
    await viewer.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    expect(await viewer.getByText('New leads to the CRM').count()).to.equal(0);
  });

  it('have a Set up with a program in each language, chosen by keyboard', async () => {
    const page = await at.open(`/settings/webhooks/${id}/setup`, owner);
    const [first, ...others] = VERIFY_SAMPLES;
    await page.getByText(`run with: ${first.run}`).waitFor();
    await page.getByRole('radio', { name: first.label }).focus();
    for (const { run } of others) {
      await page.keyboard.press('ArrowRight');
      await page.getByText(`run with: ${run}`).waitFor();
    }
    await expectSound(page, 'Set up');
  });
});
