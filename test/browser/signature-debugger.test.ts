import { expect } from 'chai';
import { signed } from '../support/signed.ts';
import { serious } from './support/axe.ts';
import { useBrowser } from './support/browser.ts';
import { addSource, send, untilLogged } from './support/source.ts';

describe('browser: the check of a signature', () => {
  const at = useBrowser();

  it('names the mistake in the browser, and sends and stores neither secret nor body', async () => {
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
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
    expect(await serious(page)).to.deep.equal([]);
  });

  it('Ctrl K finds an event by its title, and a pasted id of an event', async () => {
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
    const { body } = await send(source, { title: 'Harbour festival' });
    await untilLogged(at.stack, owner, body.delivery_id as string);
    const page = await at.open('/settings/profile', owner);
    // The page has loaded before it listens to keys.
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('harbour');
    await page.getByRole('option', { name: /Harbour festival/ }).click();
    await page.getByRole('dialog', { name: 'Event' }).getByText('Harbour festival').first().waitFor();
    const id = new URL(page.url()).searchParams.get('event') ?? '';
    await page.goto(`${at.stack.url}/settings/profile`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill(id);
    await page.getByRole('option', { name: `${id} Event` }).waitFor();
  });
});
