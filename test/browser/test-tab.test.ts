import { expect } from 'chai';
import { useBrowser } from './support/browser.ts';
import { addSource } from './support/source.ts';

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

  it('sends each kind of request through the real ingress and shows its response', async function () {
    this.timeout(240_000);
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
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
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
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
});
