import type { KeyCreated } from '@sluice/dashboard-api/keys';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { clipboard, useBrowser } from './support/browser.ts';
import { addKey, FULL_KEY, fullKeys, statuses } from './support/keys.ts';
import { runInShell } from './support/shell.ts';
import { callAs } from './support/source.ts';

/** The scopes that each preset fills in. */
const MINIMUM_SCOPES = {
  'Automation platform, trigger only': ['webhooks'],
  'Automation platform, trigger plus lead actions': ['webhooks', 'read:leads', 'write:leads'],
  'Workflow tool, receive events': ['webhooks'],
  'Workflow tool, receive events plus write leads': ['webhooks', 'write:leads'],
  'Custom backend, read only': ['read:leads', 'read:conversations'],
};

describe('browser: API keys', () => {
  const at = useBrowser();

  it('shows the full key once: Escape, Back and a reload do not lose it before it is saved, and nothing shows it after Done', async () => {
    const owner = await at.stack.person('owner');
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
    await page.goBack();
    await page.getByRole('alert').getByText('Going back would lose the key').waitFor();
    const asked = page.waitForEvent('dialog');
    await page.evaluate('setTimeout(() => location.reload())');
    const question = await asked;
    expect(question.type()).to.equal('beforeunload');
    await question.dismiss();
    await page.getByRole('button', { name: 'Copy key' }).click();
    const key = await clipboard(page);
    expect(key).to.match(/^slc_live_[0-9A-Za-z]{49}$/);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download .env' }).click();
    expect(await textOf(await (await download).createReadStream())).to.equal(`SLUICE_API_KEY=${key}\n`);
    await page.getByRole('button', { name: 'Copy try-it command' }).click();
    const tried = await runInShell(`${await clipboard(page)}\n${key}\n`);
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

  it('fills in the scopes of each preset, and shows every choice of an expiry completely at 360 px', async () => {
    const page = await at.open('/settings/api-keys', await at.stack.person('admin'), { width: 360 });
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const dialog = page.getByRole('dialog');
    for (const [preset, scopes] of Object.entries(MINIMUM_SCOPES)) {
      // The label is the name, followed by the scopes.
      await dialog.getByRole('button', { name: new RegExp(`^${preset} ?(webhooks|read:)`) }).click();
      const boxes = await dialog.getByRole('checkbox', { checked: true }).all();
      const checked = await Promise.all(boxes.map((box) => box.getAttribute('value')));
      expect(checked, preset).to.have.members(scopes);
    }
    const rightOf = async (part: Locator) => {
      const box = await part.boundingBox();
      return (box?.x ?? Number.NaN) + (box?.width ?? Number.NaN);
    };
    const edge = await rightOf(dialog.getByRole('radiogroup', { name: 'Expires' }));
    for (const choice of ['30 days', '90 days', '1 year', 'Date', 'Never'])
      expect(await rightOf(dialog.getByText(choice, { exact: true })), choice).to.be.at.most(edge);
  });

  // At any time, at least one of these zones has another day than UTC.
  for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago'])
    it(`accepts tomorrow in the viewer’s time zone as the earliest expiry: ${zone}`, async () => {
      const page = await at.open('/settings/api-keys', await at.stack.person('admin'));
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Emulation.setTimezoneOverride', { timezoneId: zone });
      await page.getByRole('button', { name: 'Create key' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Date', { exact: true }).click();
      await dialog.getByText('Choose the last day on which it works.').waitFor();
      const tomorrow = new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(Date.now() + 86_400_000);
      const date = dialog.getByLabel('Expiry date');
      expect(await date.getAttribute('min')).to.equal(tomorrow);
      await date.fill(tomorrow);
      await dialog.getByText(/^Stops working on /).waitFor();
    });

  it('revokes a key immediately, after a confirmation', async () => {
    const owner = await at.stack.person('admin');
    const key = await addKey(at.stack, owner, 'Short lived');
    const page = await at.open('/settings/api-keys', owner);
    expect(await statuses([at.stack.url], key)).to.deep.equal([200]);

    await page.getByRole('button', { name: 'Revoke Short lived' }).click();
    await page.getByText('401 Unauthorized').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await statuses([at.stack.url], key), 'after Cancel').to.deep.equal([200]);
    await page.getByRole('button', { name: 'Revoke Short lived' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('row', { name: /Short lived.*revoked/ }).waitFor();
    expect(await statuses([at.stack.url], key)).to.deep.equal([401]);
  });

  it('shows when and from where a key was used, in the list and before a revocation', async () => {
    const admin = await at.stack.person('admin');
    const key = await addKey(at.stack, admin, 'Reporting');
    expect(await statuses([at.stack.url], key)).to.deep.equal([200]);
    const page = await at.open('/settings/api-keys', admin);
    const row = page.getByRole('row', { name: /Reporting/ });
    await until(async () => {
      await page.reload();
      await row.waitFor();
      return (
        /1 use by 1 client/.test((await row.textContent()) ?? '') &&
        /127\.0\.0\.1/.test((await row.textContent()) ?? '')
      );
    });
    await row.getByRole('img', { name: 'In the last 24 hours: 1 use by 1 client' }).waitFor();
    await row.getByRole('button', { name: 'Revoke Reporting' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText(/Used .* from 127\.0\.0\.1 for GET .*, 1 use by 1 client in the last 24 hours/)
      .waitFor();
    await dialog.getByText('The next call gets 401').waitFor();
  });

  it('offers a viewer no button that changes anything', async () => {
    const viewer = await at.stack.person('viewer');
    const page = await at.open('/settings/api-keys', viewer);
    await page.getByRole('heading', { name: 'API Keys' }).waitFor();
    await page.getByRole('table').waitFor();
    expect(await page.getByRole('button', { name: /Create key|Revoke|Rotate/ }).count()).to.equal(0);
    expect(await page.getByRole('link', { name: /Ops|Audit/ }).count()).to.equal(0);
  });

  it('are found by their id in Go to, which leads to the row', async () => {
    const owner = await at.stack.person('owner');
    const body = { name: 'Found by its id', scopes: ['webhooks'] };
    const { key_id: id } = (await callAs<KeyCreated>(at.stack, owner, 'POST', '/keys', body)).item;
    const page = await at.open('/', owner);
    await page.getByRole('button', { name: /Go to/ }).click();
    await page.getByRole('combobox', { name: /^Go to a page/ }).fill(id);
    await page.getByRole('option', { name: id }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('tr:focus').filter({ hasText: 'Found by its id' }).waitFor();
  });
});

function stored(page: Page): Promise<string> {
  return page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href])',
  );
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}
