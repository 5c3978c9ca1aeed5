import type { LeadItem } from '@sluice/dashboard-api/leads';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { serious } from './support/axe.ts';
import { useBrowser } from './support/browser.ts';
import { addLead, cardsIn } from './support/leads.ts';
import { callAs } from './support/source.ts';
import type { Person } from './support/stack.ts';

describe('browser: board of leads', () => {
  const at = useBrowser();
  let admin: Person;
  const stageOf = async ({ id }: LeadItem) =>
    (await callAs<LeadItem>(at.stack, admin, 'GET', `/leads/${id}`)).stage;
  before(async () => {
    await at.stack.addPerson('owner');
    admin = await at.stack.addPerson('admin');
  });

  it('a card dragged to another stage is there at once, and is stored', async () => {
    const lead = await addLead(at.stack, admin, { name: 'Dragged One', tags: ['drag'] });
    const page = await at.open('/leads?view=board&tag=drag', admin);
    const card = page.locator(`[data-lead="${lead.id}"]`);
    await card.waitFor();
    await card.dragTo(page.getByRole('region', { name: 'Qualified', exact: true }));
    await until(async () => (await cardsIn(page, 'Qualified')).includes('Dragged One'));
    expect(await cardsIn(page, 'New')).to.deep.equal([]);
    await until(async () => (await stageOf(lead)) === 'stg_qualified');
    await page.reload();
    await until(async () => (await cardsIn(page, 'Qualified')).includes('Dragged One'));
  });

  it('a card moves with the keyboard, each step is announced, and the focus stays on the card', async () => {
    const lead = await addLead(at.stack, admin, { name: 'Carried One', tags: ['carry'] });
    const page = await at.open('/leads?view=board&tag=carry', admin);
    const card = page.locator(`[data-lead="${lead.id}"]`);
    const said = page.locator('[aria-live=assertive]');
    await card.focus();
    await page.keyboard.press('Space');
    expect(await said.textContent()).to.match(/^Picked up Carried One in New, stage 1 of 5/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await said.textContent()).to.equal('Qualified, stage 3 of 5');
    await page.keyboard.press('Escape');
    expect(await said.textContent()).to.match(/^Cancelled/);
    expect(await stageOf(lead)).to.equal('stg_new');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    expect(await said.textContent()).to.equal('Carried One dropped in Contacted, stage 2 of 5.');
    await until(async () => (await stageOf(lead)) === 'stg_contacted');
    expect(await cardsIn(page, 'Contacted')).to.deep.equal(['Carried One']);
    expect(await page.evaluate('document.activeElement?.dataset.lead')).to.equal(lead.id);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Lead', exact: true }).getByLabel('Company').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement?.dataset.lead')).to.equal(lead.id);
  });

  it('a card that is carried stays over its stage while other leads move', async () => {
    const lead = await addLead(at.stack, admin, { name: 'Held', tags: ['held'], stage: 'stg_qualified' });
    const other = await addLead(at.stack, admin, { name: 'Other', tags: ['held'], stage: 'stg_qualified' });
    const page = await at.open('/leads?view=board&tag=held', admin);
    const said = page.locator('[aria-live=assertive]');
    await page.locator(`[data-lead="${lead.id}"]`).focus();
    await page.keyboard.press('Space');
    expect(await said.textContent()).to.match(/^Picked up Held in Qualified, stage 3 of 5/);
    const counted = page.waitForResponse((response) => response.url().endsWith('/pipeline'));
    await callAs(at.stack, admin, 'POST', `/leads/${other.id}/stage`, { stage: 'stg_won' });
    await counted;
    await until(async () => (await cardsIn(page, 'Won')).includes('Other'));
    await page.keyboard.press('ArrowLeft');
    expect(await said.textContent()).to.equal('Contacted, stage 2 of 5');
    await page.keyboard.press('Space');
    expect(await said.textContent()).to.equal('Held dropped in Contacted, stage 2 of 5.');
    await until(async () => (await stageOf(lead)) === 'stg_contacted');
  });

  it('arrow keys move the focus between cards', async () => {
    const first = await addLead(at.stack, admin, { name: 'Below', tags: ['arrows'] });
    const second = await addLead(at.stack, admin, { name: 'Above', tags: ['arrows'] });
    const won = await addLead(at.stack, admin, { name: 'Beside', tags: ['arrows'], stage: 'stg_won' });
    const page = await at.open('/leads?view=board&tag=arrows', admin);
    const focused = () => page.evaluate('document.activeElement?.dataset.lead');
    await page.locator(`[data-lead="${won.id}"]`).waitFor();
    await page.locator(`[data-lead="${second.id}"]`).focus();
    await page.keyboard.press('ArrowDown');
    expect(await focused()).to.equal(first.id);
    await page.keyboard.press('ArrowRight');
    expect(await focused()).to.equal(won.id);
    await page.keyboard.press('ArrowLeft');
    expect(await focused()).to.equal(second.id);
  });

  it('a card goes back where it was if the server rejects the move', async () => {
    const lead = await addLead(at.stack, admin, { name: 'Rejected One', tags: ['rejected'] });
    const page = await at.open('/leads?view=board&tag=rejected', admin);
    await page.route(`**/leads/${lead.id}/stage`, (route) =>
      route.fulfill({
        status: 409,
        contentType: 'application/problem+json',
        body: JSON.stringify({ code: 'conflict', detail: 'Not now.', request_id: 'req_1' }),
      }),
    );
    const card = page.locator(`[data-lead="${lead.id}"]`);
    await card.dragTo(page.getByRole('region', { name: 'Won', exact: true }));
    await page.getByText('Not now.').waitFor();
    await until(async () => (await cardsIn(page, 'New')).includes('Rejected One'));
  });

  it('a card goes back where it was if the server cannot be reached', async () => {
    const lead = await addLead(at.stack, admin, { name: 'Cut Off', tags: ['cut-off'] });
    const page = await at.open('/leads?view=board&tag=cut-off', admin);
    const card = page.locator(`[data-lead="${lead.id}"]`);
    await card.waitFor();
    await page.route('**/api/dashboard/**', (route) => route.abort());
    await card.dragTo(page.getByRole('region', { name: 'Won', exact: true }));
    await page.getByRole('alert').getByText('The server cannot be reached.').first().waitFor();
    await until(async () => (await cardsIn(page, 'New')).includes('Cut Off'));
    expect(await cardsIn(page, 'Won')).to.deep.equal([]);
  });

  it('a move by another user appears within two seconds', async () => {
    const lead = await addLead(at.stack, admin, { name: 'Moved Elsewhere', tags: ['elsewhere'] });
    const page = await at.open('/leads?view=board&tag=elsewhere', admin);
    await until(async () => (await cardsIn(page, 'New')).includes('Moved Elsewhere'));
    await callAs(at.stack, admin, 'POST', `/leads/${lead.id}/stage`, { stage: 'stg_lost' });
    await until(async () => (await cardsIn(page, 'Lost')).includes('Moved Elsewhere'));
  });

  it('viewers see the board and cannot move a card', async () => {
    const lead = await addLead(at.stack, admin, { name: 'Fixed', tags: ['fixed'] });
    const page = await at.open('/leads?view=board&tag=fixed', await at.stack.addPerson('viewer'));
    const card = page.locator(`[data-lead="${lead.id}"]`);
    await card.waitFor();
    expect(await card.getAttribute('draggable')).not.to.equal('true');
    await card.focus();
    await page.keyboard.press('Space');
    expect(await page.locator('[aria-live=assertive]').textContent()).to.equal('');
  });

  for (const [width, scheme] of [
    [1440, 'light'],
    [1440, 'dark'],
    [360, 'light'],
    [360, 'dark'],
  ] as const)
    it(`has no serious axe findings and no overflow: ${scheme}, ${width} px`, async () => {
      await addLead(at.stack, admin, { name: 'Looked at', company: 'Example', email: 'look@example.com' });
      const page = await at.open('/leads?view=board', admin, { width, scheme });
      await page.locator('[data-lead]').first().waitFor();
      expect(await serious(page)).to.deep.equal([]);
      const overflow = 'document.documentElement.scrollWidth - innerWidth';
      expect(await page.evaluate<number>(overflow)).to.be.at.most(0);
    });
});
