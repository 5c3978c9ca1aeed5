import { readFile } from 'node:fs/promises';
import type { LeadPage } from '@sluice/dashboard-api/leads';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { axeFindings } from './support/axe.ts';
import { useBrowser } from './support/browser.ts';
import { addLead } from './support/leads.ts';
import { callAs } from './support/source.ts';
import type { Person } from './support/stack.ts';

const FILE = [
  'Full name,E-mail,Deal stage,Labels,Budget',
  'Ada Lovelace,ada@example.com,Qualified,"fair, berlin",5000',
  'Grace Hopper,GRACE@example.com,,,',
  '',
  'Nobody,not an address,,,',
  "'=HYPERLINK(1),formula@example.com,Nowhere,,",
].join('\r\n');

function choose(page: Page, content: string): Promise<void> {
  const file = { name: 'crm.csv', mimeType: 'text/csv', buffer: Buffer.from(content) };
  return page.getByLabel('CSV file').setInputFiles(file);
}

describe('browser: importing leads', () => {
  const at = useBrowser();
  let admin: Person;
  before(async () => {
    admin = await at.stack.addPerson('admin');
  });

  it('guesses the columns, shows a preview, imports, and undoes the import', async () => {
    const known = { name: 'G. Hopper', email: 'grace@example.com', company: 'US Navy' };
    const grace = await addLead(at.stack, admin, known);
    const page = await at.open('/leads/import', admin);
    await choose(page, FILE);
    await page.getByRole('heading', { name: 'crm.csv: 4 rows' }).waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).to.equal('0');
    expect(await page.getByLabel('Stage', { exact: true }).inputValue()).to.equal('2');
    await page.getByRole('checkbox', { name: 'Budget' }).check();
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('2 new, 1 update, 0 without a change, 1 bad').waitFor();
    await page.getByRole('row', { name: /5 E-mail Not an e-mail address/ }).waitFor();
    await page.getByText('1 row will be imported with a change').click();
    await page.getByText('Row 6: No stage is named "Nowhere".').waitFor();
    expect(await axeFindings(page), 'preview').to.deep.equal([]);
    await page.getByRole('button', { name: 'Import 3 rows' }).click();
    await page.getByText('2 created, 1 updated, 0 without a change, of 3 rows.').waitFor();
    const { items } = await callAs<LeadPage>(at.stack, admin, 'GET', '/leads?q=ada');
    expect(items[0]).to.deep.include({
      ...{ name: 'Ada Lovelace', stage: 'stg_qualified', tags: ['fair', 'berlin'], origin: 'import' },
      fields: { Budget: '5000' },
    });

    const open = page.getByRole('button', { name: 'Undo this import' });
    await open.click();
    // The server has ever more portions.
    const endless = '**/leads/import/undo';
    const portion = { erased: 1, restored: 0, left: 0, left_leads: [], untouched: 0 };
    let portions = 0;
    await page.route(endless, (route) => {
      portions += 1;
      return route.fulfill({ json: { ...portion, next: portions } });
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click();
    await until(() => portions > 2);
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
    await page.getByText(/^Stopped: \d+ removed, 0 restored\. The rest is unchanged\./).waitFor();
    await page.unroute(endless);

    await open.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 leads created by the import are erased.').waitFor();
    await dialog.getByText('1 lead changed by the import gets its previous values back.').waitFor();
    await dialog.getByRole('button', { name: 'Undo import' }).click();
    await page.getByText('Undone: 2 removed, 1 restored.').waitFor();
    await page.getByText(/^undone/).waitFor();
    expect((await callAs<LeadPage>(at.stack, admin, 'GET', '/leads?q=ada')).items).to.deep.equal([]);
    const restored = await callAs(at.stack, admin, 'GET', `/leads/${grace.id}`);
    expect(restored).to.deep.include(known);
  });

  it('exports what it shows, with formulas as text, and reads its own file again', async () => {
    await addLead(at.stack, admin, { name: '=1+1', email: 'sum@example.com', tags: ['exported'] });
    const page = await at.open('/leads?tag=exported', admin);
    await page.getByRole('row', { name: /sum@example.com/ }).waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).to.match(/^leads-\d{4}-\d\d-\d\d\.csv$/);
    const text = await readFile(await download.path(), 'utf8');
    expect(text.split('\r\n')).to.have.length(3);
    expect(text).to.contain("\r\n'=1+1,");
    await page.goto(`${at.stack.url}/leads/import`);
    await choose(page, text);
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('0 new, 0 update, 1 without a change, 0 bad').waitFor();
  });
});
