import { PRESETS } from '@sluice/signature/presets/presets';
import { signAs } from '@sluice/signature/sender/sign-as';
import { expect } from 'chai';
import { post } from '../support/post.ts';
import { expectSound } from './support/axe.ts';
import { useBrowser } from './support/browser.ts';
import type { Person } from './support/stack.ts';

const PASTED = 'whsec_a-secret-of-the-platform';

describe('browser: a source of another sender', () => {
  const at = useBrowser();
  let owner: Person;
  before(async () => {
    owner = await at.stack.addPerson('owner');
  });

  it('is added by its platform, shows the steps there, and accepts the pasted secret', async () => {
    const page = await at.open('/events/webhook', owner);
    await page.getByRole('button', { name: 'Add source' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Payments');
    await dialog.getByLabel('What sends to it?').selectOption('Stripe');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Set up Stripe' }).waitFor();
    await expectSound(page, 'set up');
    await page.getByRole('button', { name: 'Paste secret' }).click();
    await dialog.getByLabel('Secret of Stripe').fill('short');
    await dialog.getByRole('button', { name: 'Save secret' }).click();
    await dialog.getByText('It needs 12 to 512').waitFor();
    await expectSound(page, 'paste');
    await dialog.getByLabel('Secret of Stripe').fill(PASTED);
    await page.keyboard.press('Enter');
    await page.getByText('The secret that ends with form is in use.').waitFor();
    const url = String(await page.getByTestId('endpoint-url').textContent());
    const body = Buffer.from(
      '{"action":"upsert","event":{"title":"Yoga","starts_at":"2027-03-01T10:00:00Z"}}',
    );
    const signed = { secret: PASTED, body, id: 'evt_1', nowMs: Date.now() };
    const headers = signAs(PRESETS.stripe.verify, signed);
    const answer = await post(url, { body, headers: { 'content-type': 'application/json', ...headers } });
    expect(answer.status).to.equal(200);
    await page.getByRole('status').getByText('Yoga').waitFor();
  });

  it('gets another sender later, by a profile whose mistakes are named at their place', async () => {
    const page = await at.open('/events/webhook', owner);
    await page.getByRole('button', { name: 'Add source' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Own sender');
    await page.keyboard.press('Enter');
    await page.getByText('My own code, with the signature of Sluice').waitFor();
    await page.getByRole('button', { name: 'Change sender' }).click();
    await dialog.getByLabel('What sends to it?').selectOption('HMAC of the body');
    const profile = dialog.getByLabel('Profile');
    await profile.fill('{ "kind": "hmac", ');
    const submit = dialog.getByRole('button', { name: 'Change sender' });
    await submit.click();
    await dialog.getByText('Not valid JSON (line 1').waitFor();
    const wrong = { kind: 'hmac', header: 'X-Mine', encoding: 'hex', signed: ['{time}'] };
    await profile.fill(JSON.stringify(wrong));
    await submit.click();
    await dialog.getByText('/profile/signed: Lacks {body}').waitFor();
    await expectSound(page, 'change sender');
    await profile.fill(JSON.stringify({ ...wrong, signed: ['{body}'] }));
    await submit.click();
    await page.getByRole('heading', { name: 'Set up HMAC of the body' }).waitFor();
    await page.getByText('This sender signs no time').waitFor();
  });
});
