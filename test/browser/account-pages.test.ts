import { readFile } from 'node:fs/promises';
import type { EventPage } from '@sluice/dashboard-api/events';
import type { Attention, Overview } from '@sluice/dashboard-api/overview';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { clipboard, useBrowser } from './support/browser.ts';
import { addSource, callAs, send, untilLogged } from './support/source.ts';
import { PASSWORD } from './support/stack.ts';

describe('browser: pages of an account', () => {
  const at = useBrowser();

  it('Members: invites a viewer by a link that Escape and Back do not lose, changes the role, removes the member', async () => {
    const owner = await at.stack.person('owner');
    const page = await at.open('/settings/members', owner);
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('Role', { exact: true }).selectOption('viewer');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('It is not shown again').waitFor();
    await page.keyboard.press('Escape');
    await page.goBack();
    await page.getByRole('alert').getByText('Going back would lose the link').waitFor();
    await page.getByRole('button', { name: 'Copy invitation link' }).click();
    const link = await clipboard(page);
    expect(link.startsWith(`${at.stack.url}/`), link).to.equal(true);
    await page.getByRole('button', { name: 'Done' }).click();

    const guest = await at.open(link.slice(at.stack.url.length));
    await guest.getByLabel('Your name').fill('Grace Hopper');
    await guest.getByLabel('Email').fill('grace@example.com');
    await guest.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await guest.getByRole('button', { name: 'Join Kulturhaus Mitte' }).click();
    await guest.getByRole('heading', { name: 'Overview' }).waitFor();

    await page.reload();
    await page.getByLabel('Role of grace@example.com').selectOption('admin');
    await page.getByText('Admins can see secrets').waitFor();
    await page.getByRole('button', { name: 'Change role' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Role of grace@example.com').inputValue()).to.equal('admin');

    await page.getByRole('button', { name: 'Remove grace@example.com' }).click();
    await page.getByRole('button', { name: 'Remove member' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await guest.reload();
    await guest.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor();

    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('row', { name: /removed.*grace@example.com/ }).waitFor();
    await page.getByRole('row', { name: /viewer -> admin/ }).waitFor();
  });

  it('Events: deletes an event from the list after a confirmation', async () => {
    const admin = await at.stack.person('admin');
    const source = await addSource(at.stack, admin);
    await send(source, { title: 'Rained off' });
    const events = () => callAs<EventPage>(at.stack, admin, 'GET', `/events?source_id=${source.id}`);
    await until(async () => (await events()).items.length === 1);
    const page = await at.open(`/events?source_id=${source.id}`, admin);
    await page.getByRole('row', { name: /Rained off/ }).click();
    const drawer = page.getByRole('dialog', { name: 'Event' });
    await drawer.getByRole('button', { name: 'Delete event' }).click();
    const question = page.getByRole('dialog', { name: 'Delete “Rained off”?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect((await events()).items.length, 'after Cancel').to.equal(1);

    await drawer.getByRole('button', { name: 'Delete event' }).click();
    await question.getByRole('button', { name: 'Delete event' }).click();
    await drawer.getByText('deleted', { exact: true }).first().waitFor();
    await drawer.getByRole('button', { name: 'Delete event' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: /Rained off/ }).waitFor({ state: 'detached' });
    expect((await events()).items).to.deep.equal([]);
  });

  it('Audit log: states which changes are not confirmed, and links each record that still has a page', async () => {
    const owner = await at.stack.person('owner');
    const { name, id } = await addSource(at.stack, owner);
    const { auditLog } = at.stack.store;
    const entry = {
      account_id: at.stack.accountId,
      at: Date.now(),
      actor: { user_id: 'usr_1', email: owner.email },
      address: '192.0.2.7',
      detail: null,
    };
    const webhook = { id: 'sub_1', name: 'hooks.example.com' };
    await auditLog.announceEntry({ ...entry, audit_id: 'aud_1', action: 'webhook.paused', target: webhook });
    for (const [audit_id, action, target] of [
      ['aud_2', 'webhook.resumed', webhook],
      ['aud_3', 'source.changed', { id, name }],
      ['aud_4', 'source.deleted', { id: 'src_gone', name: 'Old source' }],
      ['aud_5', 'leads.exported', { id: at.stack.accountId, name: 'all leads' }],
    ] as const)
      await auditLog.insertEntry({ ...entry, audit_id, action, target });
    const page = await at.open('/settings/audit-log', owner);
    const row = (text: RegExp) => page.getByRole('row', { name: text });
    await row(/paused .*hooks\.example\.com · not confirmed: in progress, or interrupted/).waitFor();
    await row(/resumed .*hooks\.example\.com/).waitFor();
    expect(await page.getByText('not confirmed').count()).to.equal(1);
    await row(/deleted the source Old source/).waitFor();
    const gone = row(/deleted the source Old source|exported all leads/);
    expect(await gone.getByRole('link').count()).to.equal(0);
    await row(/changed the settings of the source/)
      .getByRole('link', { name })
      .click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).to.equal(`/events/webhook/${id}/setup`);
  });

  it('names the required role on a page that the user may not open', async () => {
    const viewer = await at.stack.person('viewer');
    const page = await at.open('/settings/audit-log', viewer);
    await page.getByText('Only owners and admins can read the audit log').waitFor();
    await page.goto(`${at.stack.url}/ops`);
    await page.getByText('Only owners can see the state of the installation').waitFor();
  });

  it('Members: rejects a withdrawn invitation', async () => {
    const owner = await at.stack.person('owner');
    const page = await at.open('/settings/members', owner);
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('Email (optional)').fill('linus@example.com');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('button', { name: 'Copy invitation link' }).click();
    const link = await clipboard(page);
    await page.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('row', { name: /linus@example.com/ });
    await page.getByRole('button', { name: 'Withdraw the invitation for linus@example.com' }).click();
    const question = page.getByRole('dialog', { name: 'Withdraw this invitation?' });
    await question.getByText('Its link stops working now').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await row.count(), 'after Cancel').to.equal(1);

    await page.getByRole('button', { name: 'Withdraw the invitation for linus@example.com' }).click();
    await question.getByRole('button', { name: 'Withdraw invitation' }).click();
    await row.waitFor({ state: 'detached' });
    const guest = await at.open(link.slice(at.stack.url.length));
    await guest.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    expect(await guest.getByLabel('Password', { exact: true }).count()).to.equal(0);
  });

  it('Overview: lists what needs attention, with a link to the deliveries', async () => {
    const owner = await at.stack.person('owner');
    const source = await addSource(at.stack, owner);
    for (let i = 0; i < 10; i++) await send(source, {}, 'whsec_wrong');
    const overview = () => callAs<Overview>(at.stack, owner, 'GET', '/overview');
    const counted = (need: Attention) =>
      need.kind === 'refusals' && need.name === source.name && need.count === 10;
    await until(async () => (await overview()).attention.some(counted), {
      what: 'ten rejections are counted',
    });
    const page = await at.open('/', owner);
    await page.getByRole('heading', { name: 'What needs attention' }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV: Rejected by reason' }).click(),
    ]);
    expect(await readFile(await file.path(), 'utf8')).to.match(
      /^code,reason,count\r\n.*\bsignature_invalid,/s,
    );
    await page.getByRole('link', { name: 'Signature invalid: see why' }).click();
    await page.waitForURL(/\/deliveries\?code=signature_invalid/);
    await page.getByRole('dialog', { name: 'Delivery' }).getByText('The fix:').waitFor();
    await page.goto(at.stack.url);
    const need = page.getByRole('listitem').filter({ hasText: source.name });
    await need.getByText('10 requests were rejected in the last hour with “Signature invalid”').waitFor();
    await need.getByRole('link', { name: 'See why' }).click();
    const latest = page.getByRole('dialog', { name: 'Delivery' });
    await latest.getByText('The fix:').waitFor();
    await page.keyboard.press('Escape');
    await latest.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove filter: signature invalid' }).waitFor();
    await until(async () => (await page.getByRole('row').count()) === 11, {
      what: 'ten rows and their head',
    });
  });

  it('Overview ticks its first steps; Ops shows every replica as ready, and that no dispatcher reports', async () => {
    const owner = await at.stack.person('owner');
    const { body } = await send(await addSource(at.stack, owner), { title: 'First steps' });
    await untilLogged(at.stack, owner, body.delivery_id);
    const page = await at.open('/', owner);
    await page.getByText('Deliveries a minute').first().waitFor();
    await page.getByText('3 of 4 done').waitFor();
    const log = page.getByRole('button', { name: 'Log scale: Ingress latency' });
    await log.click();
    expect(await log.getAttribute('aria-pressed')).to.equal('true');
    await page.getByRole('button', { name: 'As table' }).first().click();
    await page.getByRole('columnheader', { name: '200 accepted' }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV: Deliveries a minute, by status' }).click(),
    ]);
    expect(file.suggestedFilename()).to.equal('sluice-deliveries-a-minute-by-status.csv');
    const csv = await readFile(await file.path(), 'utf8');
    expect(csv).to.match(/^time,200 accepted.*\r\n(\d{4}-\d\d-\d\dT[\d:.]+Z(,\d*)+\r\n)+$/);
    await page.getByRole('link', { name: 'Ops' }).click();
    await page.getByText('3 of 4').waitFor();
    for (const kind of ['ingress', 'worker', 'api']) {
      await page.getByRole('row', { name: new RegExp(`${kind}.*ready`) }).waitFor();
    }
    // Other tests of the run may have left messages that are overdue.
    await page.getByRole('row', { name: /dispatcher none reports/ }).waitFor();
  });
});
