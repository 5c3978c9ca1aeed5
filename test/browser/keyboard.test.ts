import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useBrowser } from './support/browser.ts';
import { addSource, send, type TestSource, untilLogged } from './support/source.ts';
import type { Person } from './support/stack.ts';

describe('browser: keyboard only', () => {
  const at = useBrowser();
  let owner: Person;
  let source: TestSource;
  before(async () => {
    owner = await at.stack.addPerson('owner');
    source = await addSource(at.stack, owner);
    await addSource(at.stack, owner);
    let last = '';
    for (const title of ['First', 'Second', 'Third']) last = (await send(source, { title })).body.delivery_id;
    await untilLogged(at.stack, owner, last);
  });

  it('filters, moves between rows, opens and closes a delivery, and shows the shortcuts', async () => {
    const page = await at.open(`/events/webhook/${source.id}/deliveries`, owner);
    await page.getByRole('row', { name: /Third/ }).waitFor();
    await page.keyboard.press('/');
    expect(await focused(page)).to.equal('Search in titles');
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    expect(await focused(page)).to.contain('Third');
    await page.keyboard.press('j');
    expect(await focused(page)).to.contain('Second');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('Third').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focused(page), 'back on the row').to.contain('Third');
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Keyboard shortcuts').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('goes to a page with Ctrl K, to an event by its title, and to a pasted id', async () => {
    const page = await at.open('/settings/profile', owner);
    // The page has loaded before it listens to keys.
    await page.getByRole('heading', { level: 1 }).waitFor();
    const palette = page.getByRole('combobox', { name: /^Go to a page/ });
    await page.keyboard.press('Control+k');
    await palette.waitFor();
    await page.getByRole('dialog', { name: 'Go to' }).waitFor();
    await page.keyboard.type('api k');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'API Keys' }).waitFor();
    await page.keyboard.press('Control+k');
    await palette.fill('second');
    await page.getByRole('option', { name: /Second/ }).click();
    await page.getByRole('dialog', { name: 'Event' }).getByText('Second').first().waitFor();
    const id = new URL(page.url()).searchParams.get('event') ?? '';
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await palette.fill(id);
    await page.getByRole('option', { name: `${id} Event` }).waitFor();
  });

  it('goes on at the heading of a page whose link was in the page before', async () => {
    const page = await at.open('/leads', owner);
    await page.getByRole('main').getByRole('link', { name: 'Import', exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'Import leads' }).waitFor();
    await page.locator('h1:focus').waitFor();
    await page.keyboard.press('Tab');
    expect(await page.getByRole('main').locator(':focus').count()).to.equal(1);
  });

  it('moves between sources and opens one', async () => {
    const page = await at.open('/events/webhook', owner);
    await page.getByRole('cell', { name: source.name, exact: true }).waitFor();
    await page.keyboard.press('j');
    const first = await focused(page);
    await page.keyboard.press('j');
    expect(await focused(page)).not.to.equal(first);
    await page.keyboard.press('k');
    expect(await focused(page)).to.equal(first);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/events\/webhook\/src_[^/]+\/deliveries/);
  });

  it('creates a key, and rotates a secret', async () => {
    const page = await at.open('/settings/api-keys', owner);
    await page.getByRole('heading', { name: 'API Keys' }).waitFor();
    await tabTo(page, /^Create key/);
    await page.keyboard.press('Enter');
    // Letters typed before the field has the focus would be lost.
    await page.locator('[role=dialog] input[placeholder="Booking sync"]:focus').waitFor();
    await page.keyboard.type('By keyboard');
    await tabTo(page, /trigger only/);
    await page.keyboard.press('Space');
    await tabTo(page, /^Create key/);
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'API key' }).waitFor();
    await tabTo(page, /I saved it/);
    await page.keyboard.press('Space');
    await tabTo(page, /^Done/);
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: 'By keyboard', exact: true }).waitFor();

    await page.goto(`${at.stack.url}/events/webhook/${source.id}/setup`);
    await page.getByRole('button', { name: 'Rotate secret' }).waitFor();
    await tabTo(page, /^Rotate secret/);
    await page.keyboard.press('Enter');
    await tabTo(page, /^Show the new secret/);
    await page.keyboard.press('Enter');
    await page.getByText('not active yet').waitFor();
    await tabTo(page, /^Next/);
    await page.keyboard.press('Enter');
    await tabTo(page, /configured in the sender/);
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.type(source.name);
    await page.keyboard.press('Enter');
    await page.getByText('Requests signed with the old secret now get 401').waitFor();
    expect((await send(source)).status).to.equal(401);
  });
});

const FOCUSED = `(() => {
  const element = document.activeElement;
  if (element.matches('body, section, [role=dialog]')) return '';
  const label = element.labels?.[0]?.innerText;
  return element.getAttribute('aria-label') ?? label ?? element.innerText ?? '';
})()`;

/** Returns the name of the focused element. */
function focused(page: Page): Promise<string> {
  return page.evaluate(FOCUSED);
}

async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (name.test(await focused(page))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab did not reach ${name}. The focus is on ${await focused(page)}`);
}
