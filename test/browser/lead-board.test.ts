import type { LeadItem } from '@sluice/dashboard-api/leads';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { expectSound } from './support/axe.ts';
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
    admin = await at.stack.addPerson('admin');
  });

  it('a dragged card is in its new stage at once, and goes back if the server rejects it or cannot be reached', async () => {
    const name = 'Dragged One';
    const lead = await addLead(at.stack, admin, { name, tags: ['drag'], email: 'drag@example.com' });
    const page = await at.open('/leads?view=board&tag=drag', admin);
    const card = page.locator(`[data-lead="${lead.id}"]`);
    const dragTo = (stage: string) => card.dragTo(page.getByRole('region', { name: stage, exact: true }));
    const untilIn = (stage: string) => until(async () => (await cardsIn(page, stage)).includes(name));
    await card.waitFor();
    await dragTo('Qualified');
    await untilIn('Qualified');
    expect(await cardsIn(page, 'New')).to.deep.equal([]);
    await until(async () => (await stageOf(lead)) === 'stg_qualified');
    await page.reload();
    await untilIn('Qualified');

    const move = `**/leads/${lead.id}/stage`;
    await page.route(move, (route) =>
      route.fulfill({
        status: 409,
        contentType: 'application/problem+json',
        body: JSON.stringify({ code: 'conflict', detail: 'Not now.', request_id: 'req_1' }),
      }),
    );
    await dragTo('Won');
    await page.getByText('Not now.').waitFor();
    await untilIn('Qualified');
    await page.unroute(move);

    const every = '**/api/dashboard/**';
    await page.route(every, (route) => route.abort());
    await dragTo('Won');
    await page.getByRole('alert').getByText('The server cannot be reached.').first().waitFor();
    await untilIn('Qualified');
    expect(await cardsIn(page, 'Won')).to.deep.equal([]);
    await page.unroute(every);

    await callAs(at.stack, admin, 'POST', `/leads/${lead.id}/stage`, { stage: 'stg_lost' });
    // A move by another user appears too.
    await untilIn('Lost');
    await page.reload();
    await card.waitFor();
    await expectSound(page, 'board');
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
    const focused = () => page.evaluate('document.activeElement?.dataset.lead');
    expect(await focused()).to.equal(lead.id);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Lead', exact: true }).getByLabel('Company').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    expect(await focused()).to.equal(lead.id);
  });

  it('arrow keys move the focus between cards, and a carried card stays over its stage while other leads move', async () => {
    const below = await addLead(at.stack, admin, { name: 'Below', tags: ['held'], stage: 'stg_qualified' });
    const held = await addLead(at.stack, admin, { name: 'Held', tags: ['held'], stage: 'stg_qualified' });
    const won = await addLead(at.stack, admin, { name: 'Beside', tags: ['held'], stage: 'stg_won' });
    const page = await at.open('/leads?view=board&tag=held', admin);
    const focused = () => page.evaluate('document.activeElement?.dataset.lead');
    const said = page.locator('[aria-live=assertive]');
    await page.locator(`[data-lead="${won.id}"]`).waitFor();
    await page.locator(`[data-lead="${held.id}"]`).focus();
    for (const [key, lead] of [
      ['ArrowDown', below],
      ['ArrowRight', won],
      ['ArrowLeft', held],
    ] as const) {
      await page.keyboard.press(key);
      expect(await focused(), key).to.equal(lead.id);
    }

    await page.keyboard.press('Space');
    expect(await said.textContent()).to.match(/^Picked up Held in Qualified, stage 3 of 5/);
    const counted = page.waitForResponse((response) => response.url().endsWith('/pipeline'));
    await callAs(at.stack, admin, 'POST', `/leads/${below.id}/stage`, { stage: 'stg_won' });
    await counted;
    await until(async () => (await cardsIn(page, 'Won')).includes('Below'));
    await page.keyboard.press('ArrowLeft');
    expect(await said.textContent()).to.equal('Contacted, stage 2 of 5');
    await page.keyboard.press('Space');
    expect(await said.textContent()).to.equal('Held dropped in Contacted, stage 2 of 5.');
    await until(async () => (await stageOf(held)) === 'stg_contacted');
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
});
