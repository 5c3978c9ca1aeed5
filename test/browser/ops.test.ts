import type { EventPage } from '@sluice/dashboard-api/events';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { useBrowser } from './support/browser.ts';
import { addDeadLetter } from './support/dead-letter.ts';
import { addSource, callAs, type TestSource } from './support/source.ts';
import type { Person } from './support/stack.ts';

describe('browser: Ops', () => {
  const at = useBrowser();
  let owner: Person;
  let source: TestSource;
  before(async () => {
    owner = await at.stack.addPerson('owner');
    source = await addSource(at.stack, owner);
  });

  it('Retry applies a dead letter; Drop asks first, and never applies it', async () => {
    const retried = await addDeadLetter(at.stack, source, 'From another version');
    const dropped = await addDeadLetter(at.stack, source, 'Not wanted');
    const page = await at.open('/ops', owner);
    const letter = (id: string) => page.getByRole('row', { name: new RegExp(id) });
    await letter(retried).getByText('upsert From another version').waitFor();
    await letter(retried)
      .getByText(/knows no group of version 0/)
      .waitFor();
    await letter(retried).getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Put back into the queue').waitFor();
    await until(async () => (await titles()).includes('From another version'), { what: 'it is applied' });
    await letter(retried).waitFor({ state: 'detached' });

    await letter(dropped).getByRole('button', { name: 'Drop' }).click();
    const dialog = page.getByRole('dialog', { name: 'Drop this dead letter?' });
    await dialog.getByText('is never applied').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await letter(dropped).count(), 'after Cancel').to.equal(1);
    await letter(dropped).getByRole('button', { name: 'Drop' }).click();
    await dialog.getByRole('button', { name: 'Drop' }).click();
    await letter(dropped).waitFor({ state: 'detached' });
    expect(await titles()).to.not.contain('Not wanted');
    await page.goto(`${at.stack.url}/settings/audit-log`);
    await page.getByRole('row', { name: /dropped the dead letter Not wanted/ }).waitFor();
  });

  it('shows the operators and what waits in all accounts to operators only, and is linked for owners only', async () => {
    const page = await at.open('/', owner);
    await page.getByRole('button', { name: /Go to/ }).click();
    await page.getByRole('combobox', { name: /^Go to a page/ }).fill('ops');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/ops$/);
    const own = page.getByRole('row', { name: new RegExp(owner.email, 'i') });
    await own.getByText('you').waitFor();
    await page.getByText('Subscriptions due').waitFor();

    const theirs = await at.open('/ops', await at.stack.addPerson('owner'));
    await theirs.getByRole('heading', { name: 'Dead letters' }).waitFor();
    expect(await theirs.getByRole('heading', { name: 'Operators' }).count()).to.equal(0);
    expect(await theirs.getByText('Subscriptions due').count()).to.equal(0);

    const viewers = await at.open('/', await at.stack.addPerson('viewer'));
    await viewers.getByRole('link', { name: 'Members' }).waitFor();
    expect(await viewers.getByRole('link', { name: 'Ops' }).count()).to.equal(0);
    await viewers.goto(`${at.stack.url}/ops`);
    await viewers.getByText('Only owners can see the state').waitFor();
  });

  async function titles(): Promise<string[]> {
    const { items } = await callAs<EventPage>(at.stack, owner, 'GET', '/events?when=all');
    return items.map(({ title }) => title);
  }
});
