import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type Receiver, startReceiver } from '../dispatcher/support/receiver.ts';
import { serious } from './support/axe.ts';
import { clipboard, type Look, useBrowser } from './support/browser.ts';
import { addLead } from './support/leads.ts';
import { callAs } from './support/source.ts';
import type { Person } from './support/stack.ts';

const PLATFORMS = ['n8n', 'Zapier', 'Make', 'Node-RED', 'Code'];
const LOOKS: Look[] = [
  { width: 1440, scheme: 'light' },
  { width: 1440, scheme: 'dark' },
  { width: 360, scheme: 'light' },
  { width: 360, scheme: 'dark' },
];
const PATH = '/settings/integrations';

describe('browser: integrations', function () {
  this.timeout(240_000);
  const at = useBrowser({ dispatchers: 1, env: { OUTBOUND_PRIVATE_NETWORKS: 'true' } });
  let owner: Person;
  let receiver: Receiver;
  before(async () => {
    owner = await at.stack.addPerson('owner');
    receiver = await startReceiver((_received, response) => response.writeHead(404).end('not registered'));
  });
  after(() => receiver?.close());

  /** Subscribes as n8n does, with a key that has these scopes. */
  async function subscribe(key: { readonly name: string; readonly scopes: readonly string[] }) {
    const made = await callAs<{ key: string }>(at.stack, owner, 'POST', '/keys', key);
    return fetch(`${at.stack.url}/api/public/webhooks`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${made.key}`,
        'Content-Type': 'application/json',
        'User-Agent': 'n8n',
      },
      body: JSON.stringify({
        target_url: `${receiver.url}?${encodeURIComponent(key.name)}`,
        events: ['lead.created'],
        client: {
          platform: 'n8n',
          workflow_name: 'Leads to Slack',
          workflow_url: 'https://n8n.example.com/workflow/1',
        },
      }),
    });
  }
  const choose = (page: Page, platform: string) =>
    page.getByRole('radiogroup', { name: 'Platform' }).getByText(platform, { exact: true }).click();
  const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });

  it('explain each platform in five steps, with the address of this installation to copy', async () => {
    const page = await at.open('/', owner);
    await page.getByRole('link', { name: 'Integrations' }).click();
    for (const name of PLATFORMS) {
      await choose(page, name);
      const steps = page.getByRole('list', { name: `Connect ${name}` });
      await steps.waitFor();
      expect(await steps.locator('> li').count(), name).to.equal(5);
      expect(await steps.textContent(), name).to.contain(at.stack.url);
    }
    await choose(page, 'n8n');
    await page.getByRole('button', { name: 'Copy Base URL' }).click();
    expect(await clipboard(page)).to.equal(at.stack.url);
    await page.reload();
    await page.getByRole('list', { name: 'Connect n8n' }).waitFor();
  });

  it('name the platform, the workflow, its last message, and what its receiver answered', async () => {
    expect((await subscribe({ name: 'CRM', scopes: ['webhooks'] })).status).to.equal(201);
    await addLead(at.stack, owner, { name: 'Ada' });
    const page = await at.open(PATH, owner);
    const connected = row(page, 'n8n, workflow Leads to Slack');
    await connected.getByText(/404/).waitFor();
    await connected.getByText(/ago|now/).waitFor();
    await connected.getByText('with the key CRM').waitFor();
    const link = connected.getByRole('link', { name: 'open in n8n.example.com' });
    expect(await link.getAttribute('href')).to.equal('https://n8n.example.com/workflow/1');
  });

  it('show who tried to connect and was rejected, and what to do', async () => {
    expect((await subscribe({ name: 'Reader', scopes: ['read:leads'] })).status).to.equal(403);
    const page = await at.open(PATH, owner);
    await page.getByRole('heading', { name: 'Tried to connect, and was rejected' }).waitFor();
    await row(page, 'Reader')
      .getByText(/webhooks/)
      .first()
      .waitFor();
  });

  it('show a viewer the steps, and no URL of a receiver', async () => {
    const viewer = await at.stack.addPerson('viewer');
    const page = await at.open(PATH, viewer);
    await page.getByRole('list', { name: 'Connect n8n' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Connected' }).count()).to.equal(0);
  });

  for (const look of LOOKS) {
    it(`have no serious axe findings and no overflow: ${look.scheme}, ${look.width} px`, async () => {
      await subscribe({ name: `Looked at in ${look.scheme} ${look.width}`, scopes: ['webhooks'] });
      const page = await at.open(PATH, owner, look);
      await row(page, 'n8n, workflow').first().waitFor();
      for (const name of PLATFORMS) {
        await choose(page, name);
        await page.getByRole('list', { name: `Connect ${name}` }).waitFor();
        expect(await serious(page), name).to.deep.equal([]);
        const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect(beyond, name).to.be.at.most(0);
        if (process.env.SCREENSHOTS)
          await page.screenshot({
            path: `${process.env.SCREENSHOTS}/${name}-${look.scheme}-${look.width}.png`,
            fullPage: true,
          });
      }
    });
  }
});
