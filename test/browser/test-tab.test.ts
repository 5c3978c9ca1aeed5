import { expect } from 'chai';
import { signed } from '../support/signed.ts';
import { expectSound } from './support/axe.ts';
import { useBrowser } from './support/browser.ts';
import { addSource, type TestSource } from './support/source.ts';
import type { Person } from './support/stack.ts';

/** Each simulated error of the Test tab, with the response status of the real ingress. */
const BROKEN = [
  { label: 'Valid request', status: 200 },
  { label: 'Wrong signature', status: 401 },
  { label: 'No signature header', status: 401 },
  { label: 'Signed six minutes ago', status: 400 },
  { label: 'Timestamp in milliseconds', status: 400 },
  { label: 'No title', status: 400 },
  { label: 'starts_at without an offset (accepted: read as UTC)', status: 200 },
  { label: 'A date that does not exist', status: 400 },
  { label: 'Broken JSON', status: 400 },
  { label: 'The same request twice', status: 200 },
];

describe('browser: the tab Test', () => {
  const at = useBrowser();
  let owner: Person;
  let source: TestSource;
  before(async () => {
    owner = await at.stack.addPerson('owner');
    source = await addSource(at.stack, owner);
  });

  it('sends each kind of request through the real ingress and shows its response', async () => {
    const page = await at.open(`/events/webhook/${source.id}/test`, owner);
    const choice = page.getByLabel('Simulate an error');
    await choice.waitFor();
    expect(await choice.locator('option').allInnerTexts()).to.deep.equal(BROKEN.map(({ label }) => label));
    for (const { label, status } of BROKEN) {
      await choice.selectOption({ label });
      const answered = page.waitForResponse((response) => response.url().endsWith('/test'));
      await page.getByRole('button', { name: 'Send a test event' }).click();
      expect((await (await answered).json()).answer.status, label).to.equal(status);
      await page.getByRole('main').getByText(String(status), { exact: true }).first().waitFor();
    }
    await page.getByText('"duplicate": true').waitFor();
    await page.getByText('See it in Recent Deliveries').click();
    await page.getByRole('row').nth(BROKEN.length).waitFor();
  });

  it('keeps the edits of the JSON while the form is shown, until the user replaces them', async () => {
    const page = await at.open(`/events/webhook/${source.id}/test`, owner);
    const [json, form] = ['JSON', 'Form'].map((name) => page.getByText(name, { exact: true }));
    const body = page.getByLabel('Body', { exact: true });
    await json?.click();
    const made = await body.inputValue();
    await body.fill('{"mine": true}');
    await form?.click();
    await page.getByText('The JSON keeps your edits.').waitFor();
    await page.getByLabel('Title').fill('From the form');
    await json?.click();
    expect(await body.inputValue()).to.equal('{"mine": true}');
    await page.getByRole('button', { name: 'Replace with the form’s body' }).click();
    expect(await body.inputValue())
      .to.contain('"From the form"')
      .and.not.equal(made);
    // JSON that was not edited follows the form.
    await form?.click();
    await page.getByLabel('Title').fill('Changed again');
    await json?.click();
    expect(await body.inputValue()).to.contain('"Changed again"');
  });

  it('checks a signature in the browser, and sends and stores neither secret nor body', async () => {
    const page = await at.open(`/events/webhook/${source.id}/test`, owner);
    await page.getByRole('heading', { name: 'Check a signature' }).waitFor();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url() + (request.postData() ?? '')));
    const body = '{"action":"cancel"}';
    const { headers } = signed({ secret: `${source.secret}\n`, body });
    await page.getByLabel('Signed body').fill(body);
    await page.getByLabel('X-Service-Timestamp').fill(headers['x-service-timestamp'] ?? '');
    await page.getByLabel('X-Service-Signature').fill(headers['x-service-signature'] ?? '');
    await page.getByLabel('Secret of the sender').fill(source.secret);
    await page.getByRole('button', { name: 'Check signature' }).click();
    await page.getByText('made with a newline after the secret. Remove the newline.').waitFor();
    expect(requests.filter((text) => text.includes(source.secret) || text.includes(body))).to.deep.equal([]);
    const stored = await page.evaluate<string>('JSON.stringify([localStorage, sessionStorage])');
    expect(stored).not.to.contain(source.secret);
    await expectSound(page, 'the check');
  });
});
