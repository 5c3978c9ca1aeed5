import type { SourceWithActivity } from '@sluice/dashboard-api/sources';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { clipboard, useBrowser } from './support/browser.ts';
import { addSource, callAs, send, type TestSource } from './support/source.ts';
import type { Person } from './support/stack.ts';

interface Opened {
  readonly page: Page;
  readonly source: TestSource;
  readonly person: Person;
}

describe('browser: dialogs of a source', () => {
  const at = useBrowser({ ingresses: 2 });

  it('Rotate Secret, closed at its second step, changes nothing', async () => {
    const { page, source } = await setUp('owner');
    const prepared = await toSecondStep(page);
    expect(prepared)
      .to.match(/^whsec_\w{43}$/)
      .and.not.equal(source.secret);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await send(source)).status, 'the old secret').to.equal(200);
    expect((await send(source, {}, prepared)).status, 'the prepared one').to.equal(401);
  });

  it('Rotate Secret says first how much the current secret is in use', async () => {
    const { page, source, person } = await setUp('admin');
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText('No requests yet').waitFor();
    for (const title of ['One', 'Two']) expect((await send(source, { title })).status).to.equal(200);
    const counted = async () =>
      (await callAs<SourceWithActivity>(at.stack, person, 'GET', `/sources/${source.id}`)).accepted_24h === 2;
    await until(counted, { what: 'both are counted' });
    await page.reload();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page
      .getByText(/2 requests were accepted in the last 24 hours. The last delivery arrived/)
      .waitFor();
  });

  it('Rotate Secret, confirmed: the next request with the old one gets 401, with the new one 200', async () => {
    const { page, source } = await setUp('admin');
    const secret = await toSecondStep(page);
    await page.getByRole('button', { name: 'Next' }).click();
    const rotate = page.getByRole('button', { name: 'Rotate now' });
    expect(await rotate.isDisabled(), 'before anything is ticked').to.equal(true);
    await page.getByRole('checkbox', { name: 'The new secret is configured in the sender' }).check();
    await page.getByLabel(/Type the name of the source/).fill('something else');
    expect(await rotate.isDisabled(), 'with another name').to.equal(true);
    await page.getByLabel(/Type the name of the source/).fill(source.name);
    await rotate.click();
    await page.getByText('Requests signed with the old secret now get 401').waitFor();
    for (const url of at.stack.ingressUrls) {
      const there = { ...source, endpointUrl: url + new URL(source.endpointUrl).pathname };
      expect((await send(there)).status, 'old').to.equal(401);
      expect((await send(there, {}, secret)).status, 'new').to.equal(200);
    }
    await page.getByText(/First request with the new secret/).waitFor();
    await page.getByText(/2 requests signed with the old secret were rejected/).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
  });

  it('Rotate Secret with an overlap: both secrets get 200, until End the overlap now is confirmed', async () => {
    const { page, source } = await setUp('admin');
    const secret = await toSecondStep(page);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('checkbox', { name: 'The new secret is configured in the sender' }).check();
    await page.getByLabel('Old secret').selectOption({ label: 'Works for 24 more hours' });
    await page.getByText('Anyone with the old secret can send until then').waitFor();
    await page.getByLabel(/Type the name of the source/).fill(source.name);
    await page.getByRole('button', { name: 'Rotate now' }).click();
    await page.getByRole('dialog').getByText('The old secret still works').waitFor();
    expect([(await send(source)).status, (await send(source, {}, secret)).status]).to.deep.equal([200, 200]);
    await page.getByText(/First request with the new secret/).waitFor();
    await page.getByText(/A sender still uses the old secret: its last request was accepted/).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('The old secret still works').waitFor();
    await page.getByRole('button', { name: 'End the overlap now' }).click();
    await page.getByText('Requests signed with the old secret get 401').waitFor();
    await page.getByRole('button', { name: 'End the overlap', exact: true }).click();
    await page.getByText('The old secret still works').waitFor({ state: 'detached' });
    expect([(await send(source)).status, (await send(source, {}, secret)).status]).to.deep.equal([401, 200]);
  });

  it('the active switch asks first; off, requests get 403 at once', async () => {
    const { page, source } = await setUp('admin');
    await page.getByRole('tab', { name: 'Settings' }).click();
    const toggle = page.getByRole('switch', { name: new RegExp(`${source.name} is active`) });
    await toggle.press('Space');
    await page.getByText('403 Source inactive').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect((await send(source)).status).to.equal(200);
    await toggle.press('Space');
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByRole('switch', { name: new RegExp(`${source.name} is inactive`) }).waitFor();
    expect((await send(source)).status).to.equal(403);
    await page.getByRole('switch', { name: new RegExp(`${source.name} is inactive`) }).press('Space');
    await page.getByRole('button', { name: 'Switch on' }).click();
    await toggle.waitFor();
    expect((await send(source)).status).to.equal(200);
  });

  it('asked to switch off, it never switches on: not when somebody else was first', async () => {
    const { page, source, person } = await setUp('admin');
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('switch', { name: `${source.name} is active` }).press('Space');
    await page.getByRole('button', { name: 'Switch off' }).waitFor();
    await callAs(at.stack, person, 'PUT', `/sources/${source.id}/active`, { active: false });
    // Behind the dialog, where no role is read.
    await page.locator(`[aria-label="${source.name} is inactive"]`).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: /^Switch o/ }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await send(source)).status).to.equal(403);
  });

  async function setUp(role: 'owner' | 'admin'): Promise<Opened> {
    const person = await at.stack.addPerson(role);
    const source = await addSource(at.stack, person);
    return { source, person, page: await at.open(`/events/webhook/${source.id}/setup`, person) };
  }

  async function toSecondStep(page: Page): Promise<string> {
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText('requests signed with the current secret get 401').waitFor();
    await page.getByRole('button', { name: 'Show the new secret' }).click();
    await page.getByText('not active yet').waitFor();
    await page.getByRole('button', { name: 'Copy new secret' }).click();
    return clipboard(page);
  }
});
