import type { SourceSender } from '@sluice/dashboard-api/senders';
import type { SourceCreated } from '@sluice/dashboard-api/sources';
import { PRESETS, type PresetName } from '@sluice/signature/presets/presets';
import { signAs } from '@sluice/signature/sender/sign-as';
import { expect } from 'chai';
import { type Answer, post } from '../support/post.ts';
import { expectSound } from './support/axe.ts';
import { useBrowser } from './support/browser.ts';
import { callAs, untilLogged } from './support/source.ts';
import type { Person } from './support/stack.ts';

const PASTED = 'whsec_a-secret-of-the-platform';

interface Sender {
  readonly url: string;
  readonly preset: PresetName;
  readonly secret: string;
}

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
    expect((await sendTo({ url, preset: 'stripe', secret: PASTED }, { id: 'evt_1' })).status).to.equal(200);
    // Without a rule it is ignored, which is no rejection.
    await page.getByRole('status').getByText('ignored').waitFor();
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

  it('is asked for the secret that its new platform makes, and keeps its own profile beside a pasted one', async () => {
    const { id } = await add('github');
    const page = await at.open(`/events/webhook/${id}/setup`, owner);
    const dialog = page.getByRole('dialog');
    const changeTo = async (platform: string, secret: string) => {
      await page.getByRole('button', { name: 'Change sender' }).click();
      await dialog.getByLabel('What sends to it?').selectOption(platform);
      await dialog.getByLabel('Secret of the sender').fill(secret);
      await dialog.getByRole('button', { name: 'Change sender' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await changeTo('Standard Webhooks (Svix)', '');
    await page.getByText('Sender changed. Paste the secret of Standard Webhooks (Svix) next.').waitFor();
    const { verify } = PRESETS.stripe;
    const time = 'time' in verify && { ...verify.time, tolerance: 600 };
    await callAs(at.stack, owner, 'PUT', `/sources/${id}/sender`, {
      preset: 'stripe',
      profile: { ...verify, time },
    });
    await page.reload();
    await changeTo('Stripe', PASTED);
    const sender = await callAs<SourceSender>(at.stack, owner, 'GET', `/sources/${id}/sender`);
    expect(sender.profile).to.have.nested.property('time.tolerance', 600);
  });

  it('has its bodies mapped live beside the mapping, which is saved after what changes was shown', async () => {
    const source = await add('stripe');
    await sendTo(source, { type: 'course.made', course: { name: 'Yoga', at: '2027-03-01T10:00:00Z' } });
    await sendTo(source, { type: 'invoice.paid' });
    const page = await at.open(`/events/webhook/${source.id}/mapping`, owner);
    const [invoice, course] = [page.locator('li').nth(0), page.locator('li').nth(1)];
    await course.getByText('No rule matches this body.').first().waitFor();
    await page.getByRole('button', { name: 'Insert an example' }).click();
    await invoice.getByText('The rule ignores this body.').first().waitFor();
    const text = page.getByRole('textbox', { name: 'Mapping' });
    const rule = { do: 'upsert', event: { title: { at: '/course/name' }, starts_at: { at: 'course/at' } } };
    await text.fill(JSON.stringify({ rules: [rule] }));
    await page.getByText('A pointer begins with /. Send /course/at').waitFor();
    await page.getByText('/rules/0/event/starts_at/at').waitFor();
    expect(await page.getByRole('button', { name: 'Save mapping' }).isDisabled()).to.equal(true);
    await expectSound(page, 'errors');
    await text.fill(JSON.stringify({ rules: [rule] }).replace('"course/at', '"/course/at'));
    await course.getByText('upsert').waitFor();
    await invoice.getByText('failed').waitFor();
    await course.locator('summary').press('Enter');
    await course.getByText('2027-03-01').first().waitFor();
    await expectSound(page, 'mapping');
    await page.getByRole('button', { name: 'Save mapping' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Of the last 2 bodies, 2 get another result.').waitFor();
    await dialog.locator('ins').getByText('/course/name').waitFor();
    await expectSound(page, 'save');
    await dialog.getByRole('button', { name: 'Save mapping' }).click();
    await page.getByText('Mapping saved').waitFor();
    const answer = await sendTo(source, {
      id: 'evt_2',
      course: { name: 'Jazz', at: '2027-04-01T10:00:00Z' },
    });
    await untilLogged(at.stack, owner, answer.body.delivery_id);
    await page.goto(`${at.stack.url}/events`);
    await page.getByText('Jazz').first().waitFor();
  });

  it('shows a cancel by its external_id without a start and location that it does not have', async () => {
    const source = await add('stripe');
    await sendTo(source, { gone: 'booking-7' });
    const page = await at.open(`/events/webhook/${source.id}/mapping`, owner);
    const rule = { do: 'cancel', event: { external_id: { at: '/gone' } } };
    await page.getByText('No rule matches this body.').first().waitFor();
    await page.getByRole('textbox', { name: 'Mapping' }).fill(JSON.stringify({ rules: [rule] }));
    const body = page.locator('details');
    await body.locator('summary').filter({ hasText: 'cancel' }).click();
    expect(await body.locator('dl').textContent()).to.equal('External IDbooking-7');
  });

  it('leads from Why of a body without a rule to the mapping, with this body open', async () => {
    const source = await add('calendly');
    const answer = await sendTo(source, { event: 'routing_form_submission.created', n: 'the first' });
    await sendTo(source, { event: 'invitee.created' });
    const id = answer.body.delivery_id;
    await untilLogged(at.stack, owner, id);
    const page = await at.open(`/deliveries/${id}`, owner);
    await page.getByText('No rule of the mapping matches').first().waitFor();
    await page.getByRole('link', { name: 'Open this body in Mapping' }).click();
    const body = page.getByRole('listitem').filter({ has: page.locator('details[open]') });
    await body.getByText('the first').waitFor();
    await page.waitForFunction("document.activeElement.closest('details')?.open === true");
    // A viewer may not change it, so there is no way to it.
    const viewer = await at.stack.addPerson('viewer');
    const seen = await at.open(`/deliveries/${id}`, viewer);
    await seen.getByText('No rule of the mapping matches').first().waitFor();
    expect(await seen.getByRole('link', { name: 'Open this body in Mapping' }).count()).to.equal(0);
    expect(await seen.getByRole('tab', { name: 'Mapping' }).count()).to.equal(0);
  });

  it('gets a test body of its platform, signed like it, without the secret in the page', async () => {
    const { id, secret } = await add('calendly');
    const page = await at.open(`/events/webhook/${id}/setup`, owner);
    await page.getByRole('link', { name: 'Test', exact: true }).click();
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await page.getByText('Calendly-Webhook-Signature: t=').waitFor();
    await page.getByRole('link', { name: 'See it in Recent Deliveries' }).click();
    await page.getByRole('dialog').getByText('upsert Introduction').waitFor();
    const bearer = await add('token');
    await page.goto(`${at.stack.url}/events/webhook/${bearer.id}/test`);
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await page.getByText('Authorization: …').waitFor();
    await page.getByRole('status').getByText('200').first().waitFor();
    for (const one of [secret, bearer.secret]) expect(await page.content()).not.to.contain(one);
    await page.getByLabel('Simulate an error').selectOption('Wrong signature');
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await page.getByRole('status').getByText('401').first().waitFor();
  });

  async function add(preset: PresetName) {
    const made = await callAs<SourceCreated>(at.stack, owner, 'POST', '/sources', {
      name: 'Foreign',
      sender: preset,
    });
    const { source_id: id, endpoint_url: url } = made.source;
    return { id, url, preset, secret: made.signing_secret };
  }

  function sendTo({ url, preset, secret }: Sender, body: object): Promise<Answer> {
    const bytes = Buffer.from(JSON.stringify(body));
    const signed = { secret, body: bytes, id: 'evt_1', nowMs: Date.now() };
    const headers = { 'content-type': 'application/json', ...signAs(PRESETS[preset].verify, signed) };
    return post(url, { body: bytes, headers });
  }
});
