import { expect } from 'chai';
import { until } from '../support/until.ts';
import { expectSound } from './support/axe.ts';
import { useBrowser } from './support/browser.ts';
import { addSource, send, untilLogged } from './support/source.ts';

describe('browser: the calendar of events', () => {
  const at = useBrowser();

  it('shows a month by days, keeps the filters, and opens an event by keyboard; is accessible', async () => {
    const owner = await at.stack.person('owner');
    const source = await addSource(at.stack, owner);
    for (const [title, starts_at] of [
      ['May fair', '2031-05-15T12:00:00Z'],
      ['May talk', '2031-05-15T14:00:00Z'],
      ['June fair', '2031-06-10T12:00:00Z'],
    ]) {
      const { body } = await send(source, { title, starts_at });
      await untilLogged(at.stack, owner, body.delivery_id);
    }
    const page = await at.open('/events?month=2031-05', owner);
    await page.getByText('Calendar', { exact: true }).click();
    await page.getByRole('cell', { name: /^15.*May fair.*May talk/ }).waitFor();
    expect(await page.getByText('June fair').count()).to.equal(0);
    await expectSound(page);
    await page.getByRole('button', { name: 'Next month' }).click();
    await page.getByRole('heading', { name: 'June 2031' }).waitFor();
    await page.getByRole('cell', { name: /^10.*June fair/ }).waitFor();
    await page.getByRole('button', { name: 'Today' }).click();
    await page.locator('td[aria-current=date]').waitFor();
    await page.goto(`${at.stack.url}/events?view=calendar&month=2031-05&q=talk`);
    await page.setViewportSize({ width: 360, height: 700 });
    // Without weekday and month, "15" says little in a list.
    const shown = 'getComputedStyle(document.querySelector("td:has(button) > span"), "::after").content';
    await page.getByRole('cell', { name: /May talk/ }).waitFor();
    expect(await page.evaluate(shown)).to.equal('"Thu 15 May"');
    await page.setViewportSize({ width: 1440, height: 900 });
    const talk = page.getByRole('button', { name: /May talk/ });
    await talk.waitFor();
    expect(await page.getByText('May fair').count()).to.equal(0);
    await talk.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Event' }).getByText('May talk').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Event' }).waitFor({ state: 'detached' });
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    await until(async () => (await focused()).includes('May talk'), {
      what: 'the focus is back on the event',
    });
  });
});
