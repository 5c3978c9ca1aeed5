import type { SourceWithActivity } from '@sluice/dashboard-api/sources';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { clipboard, useBrowser } from './support/browser.ts';
import { addSource, callAs, send } from './support/source.ts';
import type { Person } from './support/stack.ts';

describe('browser: dialogs of a source', () => {
  const at = useBrowser();
  let admin: Person;
  before(async () => {
    admin = await at.stack.addPerson('admin');
  });

  const openNew = async (tab: 'setup' | 'settings') => {
    const source = await addSource(at.stack, admin);
    return { source, page: await at.open(`/events/webhook/${source.id}/${tab}`, admin) };
  };
  /** Shows the new secret, which is not active yet. */
  const toSecondStep = async (page: Page): Promise<string> => {
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText('requests signed with the current secret get 401').waitFor();
    await page.getByRole('button', { name: 'Show the new secret' }).click();
    await page.getByText('not active yet').waitFor();
    await page.getByRole('button', { name: 'Copy new secret' }).click();
    return clipboard(page);
  };

  it('Rotate secret: shows how much the secret is used, changes nothing if closed, and after the confirmation the old secret gets 401', async () => {
    const { page, source } = await openNew('setup');
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText('No requests yet').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const prepared = await toSecondStep(page);
    expect(prepared)
      .to.match(/^whsec_\w{43}$/)
      .and.not.equal(source.secret);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    for (const title of ['One', 'Two'])
      expect((await send(source, { title })).status, 'the old secret').to.equal(200);
    expect((await send(source, {}, prepared)).status, 'the prepared one').to.equal(401);

    const counted = async () =>
      (await callAs<SourceWithActivity>(at.stack, admin, 'GET', `/sources/${source.id}`)).accepted_24h === 2;
    await until(counted, { what: 'both are counted' });
    await page.reload();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page
      .getByText(/2 requests were accepted in the last 24 hours. The last delivery arrived/)
      .waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
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
    expect((await send(source)).status, 'old').to.equal(401);
    expect((await send(source, {}, secret)).status, 'new').to.equal(200);
    await page.getByText(/First request with the new secret/).waitFor();
    await page.getByText(/1 request signed with the old secret was rejected/).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
  });

  it('Rotate secret with an overlap: both secrets get 200 until the overlap is ended', async () => {
    const { page, source } = await openNew('setup');
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

  it('the active switch asks first, applies at once, and never switches on what another user switched off', async () => {
    const { page, source } = await openNew('settings');
    const active = page.getByRole('switch', { name: `${source.name} is active` });
    const inactive = page.getByRole('switch', { name: `${source.name} is inactive` });
    await active.press('Space');
    await page.getByText('403 Source inactive').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect((await send(source)).status).to.equal(200);
    await active.press('Space');
    await page.getByRole('button', { name: 'Switch off' }).click();
    await inactive.waitFor();
    expect((await send(source)).status).to.equal(403);
    await inactive.press('Space');
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByRole('dialog', { name: 'Reprocess what was rejected meanwhile?' }).waitFor();
    await page.keyboard.press('Escape');
    await active.waitFor();
    expect((await send(source)).status).to.equal(200);

    await active.press('Space');
    await page.getByRole('button', { name: 'Switch off' }).waitFor();
    await callAs(at.stack, admin, 'PUT', `/sources/${source.id}/active`, { active: false });
    // The switch is behind the dialog, so it has no accessible role.
    await page.locator(`[aria-label="${source.name} is inactive"]`).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: /^Switch o/ }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await send(source)).status).to.equal(403);
  });
});
