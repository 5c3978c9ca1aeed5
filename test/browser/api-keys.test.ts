import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { clipboard, useBrowser } from './support/browser.ts';
import { runInShell } from './support/shell.ts';

const FULL_KEY = /slc_live_\w{30,}/g;

/** service.md 2.1 */
const MINIMUM_SCOPES = {
  'Automation platform, trigger only': ['webhooks'],
  'Automation platform, trigger plus lead actions': ['webhooks', 'read:leads', 'write:leads'],
  'Workflow tool, receive events': ['webhooks'],
  'Workflow tool, receive events plus write leads': ['webhooks', 'write:leads'],
  'Custom backend, read only': ['read:leads', 'read:conversations'],
};

describe('browser: API keys', () => {
  const at = useBrowser({ apis: 2 });

  it('shows the full key once: it is gone after Done, after Back and after a reload, and nowhere else', async () => {
    const owner = await at.stack.addPerson('owner');
    const page = await at.open('/settings/members', owner);
    await page.getByRole('link', { name: 'API Keys' }).click();
    await page.getByRole('button', { name: /Workflow tool, receive events plus write leads/ }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('n8n');
    expect(await page.getByRole('checkbox', { name: 'write:leads' }).isChecked()).to.equal(true);
    expect(await page.getByRole('checkbox', { name: 'read:leads' }).isChecked()).to.equal(false);
    await page.getByRole('button', { name: 'Create key' }).last().click();

    await page.getByRole('textbox', { name: 'API key' }).waitFor();
    expect(await fullKeys(page), 'in the document').to.have.length(1);
    expect(await page.getByRole('button', { name: 'Done' }).isDisabled()).to.equal(true);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Copy key' }).click();
    const key = await clipboard(page);
    expect(key).to.match(/^slc_live_[0-9A-Za-z]{49}$/);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download .env' }).click();
    expect(await textOf(await (await download).createReadStream())).to.equal(`SLUICE_API_KEY=${key}\n`);
    await page.getByRole('button', { name: 'Copy try-it command' }).click();
    const tried = await runInShell(await clipboard(page), { SLUICE_API_KEY: key });
    expect(JSON.parse(tried.stdout).key.name).to.equal('n8n');

    await page.getByRole('checkbox', { name: 'I saved it' }).check();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('cell', { name: 'n8n', exact: true }).waitFor();
    expect(await fullKeys(page), 'after Done').to.have.length(0);
    expect(await stored(page)).to.not.match(FULL_KEY);
    await page.goBack();
    await page.getByRole('heading', { name: 'Members' }).waitFor();
    await page.goForward();
    await page.getByRole('cell', { name: 'n8n', exact: true }).waitFor();
    expect(await fullKeys(page), 'after Back').to.have.length(0);
    await page.reload();
    await page.getByRole('cell', { name: 'n8n', exact: true }).waitFor();
    expect(await fullKeys(page), 'after a reload').to.have.length(0);
    expect(await page.getByRole('row', { name: /n8n/ }).textContent()).to.contain(
      key.slice(0, 'slc_live_'.length + 6),
    );
  });

  it('each preset fills in the scopes that the specification asks for, and no other', async () => {
    const page = await at.open('/settings/api-keys', await at.stack.addPerson('admin'));
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    for (const [preset, scopes] of Object.entries(MINIMUM_SCOPES)) {
      // Its name, and then its scopes.
      await dialog.getByRole('button', { name: new RegExp(`^${preset} ?(webhooks|read:)`) }).click();
      const boxes = await dialog.getByRole('checkbox').all();
      const named = await Promise.all(
        boxes.map(async (box) => ((await box.isChecked()) ? await box.getAttribute('value') : null)),
      );
      expect(
        named.filter((scope) => scope !== null),
        preset,
      ).to.have.members(scopes);
    }
  });

  it('revokes at once, on every replica', async () => {
    const owner = await at.stack.addPerson('admin');
    const page = await at.open('/settings/api-keys', owner);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Short lived');
    await page.getByRole('checkbox', { name: 'webhooks' }).check();
    await page.getByText('Never', { exact: true }).click();
    await page.getByRole('button', { name: 'Create key' }).last().click();
    await page.getByRole('button', { name: 'Copy key' }).click();
    const key = await clipboard(page);
    await page.getByRole('checkbox', { name: 'I saved it' }).check();
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await statuses(at.stack.apiUrls, key)).to.deep.equal([200, 200]);

    await page.getByRole('button', { name: 'Revoke Short lived' }).click();
    await page.getByText('401 Unauthorized').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await statuses(at.stack.apiUrls, key), 'after Cancel').to.deep.equal([200, 200]);
    await page.getByRole('button', { name: 'Revoke Short lived' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('row', { name: /Short lived.*revoked/ }).waitFor();
    expect(await statuses(at.stack.apiUrls, key)).to.deep.equal([401, 401]);
  });

  it('gives a viewer no way to change anything', async () => {
    const viewer = await at.stack.addPerson('viewer');
    const page = await at.open('/settings/api-keys', viewer);
    await page.getByRole('heading', { name: 'API Keys' }).waitFor();
    await page.getByRole('table').waitFor();
    expect(await page.getByRole('button', { name: /Create key|Revoke/ }).count()).to.equal(0);
    expect(await page.getByRole('link', { name: /Ops|Audit/ }).count()).to.equal(0);
  });
});

async function fullKeys(page: Page): Promise<string[]> {
  return (await page.content()).match(FULL_KEY) ?? [];
}

function stored(page: Page): Promise<string> {
  return page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href])',
  );
}

function statuses(urls: readonly string[], key: string): Promise<number[]> {
  const headers = { authorization: `Bearer ${key}` };
  return Promise.all(
    urls.map(async (url) => (await fetch(`${url}/api/public/automation/me`, { headers })).status),
  );
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}
