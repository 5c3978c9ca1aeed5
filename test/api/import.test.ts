import { setPlan } from '@sluice/accounts/account/set-plan';
import type { ImportFormat } from '@sluice/contract/event/event-fields';
import type { DeliveryItem } from '@sluice/dashboard-api/deliveries';
import type { CheckedRow, ImportRow } from '@sluice/dashboard-api/imports';
import { IMPORT_BATCH_ROWS } from '@sluice/dashboard-api/limits';
import { expect } from 'chai';
import { expectProblem } from '../support/expect-problem.ts';
import { upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';
import { type Source, useInstallation } from './support/installation.ts';

/** Upserts per month of the plan `free` in these tests. */
const FREE = 3;
const STARTS = '2030-05-01T20:00:00Z';

/** Rows as in a file, starting at row 2. */
function rowsOf(...events: ImportRow['event'][]): ImportRow[] {
  return events.map((event, index) => ({ row: index + 2, event: { starts_at: STARTS, ...event } }));
}

describe('api: importing events, on a running installation', () => {
  const at = useInstallation();

  const send = (source: Source, rows: readonly ImportRow[], import_id = 'import_1', format?: ImportFormat) =>
    at.owner.call('post', '/events/import', {
      source_id: source.id,
      import_id,
      ...(format && { format }),
      file_name: 'spring.csv',
      rows,
    });

  it('a dry run reports what each row would do, and changes nothing', async () => {
    const source = await at.addSource();
    await at.sendTo(source, upsertBody({ title: 'Known', starts_at: STARTS, location: 'Berlin' }));
    await at.logged(source, 1);
    const rows = rowsOf(
      { title: 'Known', starts_at: '2030-05-01T22:00:00+02:00', location: ' Berlin ', price: '5 EUR' },
      { title: 'Fresh' },
      { title: '', starts_at: '2030-02-30T10:00:00Z', url: 'ftp://x' },
    );
    const answer = await at.owner.call('post', '/events/import/check', { source_id: source.id, rows });
    const [known, fresh, bad] = answer.body.rows as CheckedRow[];
    expect([known?.verdict, fresh?.verdict]).to.deep.equal(['update', 'new']);
    expect(bad).to.deep.include({ row: 4, verdict: 'bad' });
    expect((bad as { errors: { field: string }[] }).errors.map(({ field }) => field)).to.have.members([
      'title',
      'starts_at',
      'url',
    ]);
    expect(await at.list(source)).to.have.length(1);
  });

  it('an imported row has no request, so reprocessing is rejected with the reason', async () => {
    const source = await at.addSource();
    await send(source, rowsOf({ title: 'From a file' }));
    const [row] = await at.logged(source, 1);
    const path = `/deliveries/${row?.delivery_id}`;
    expect(await at.owner.read(path)).to.deep.include({
      body_absent: 'no_request',
      not_reprocessable: 'no_request',
    });
    const answer = await at.owner.call('post', `${path}/reprocess`);
    expectProblem(answer, 'not_reprocessable');
    expect(answer.body.detail).to.match(/created by an import or an admin.*Import the row again/);
  });

  it('each row has a row in the delivery log and a place in the order: the latest on an event wins', async () => {
    const source = await at.addSource();
    await at.sendTo(source, upsertBody({ title: 'Known', starts_at: STARTS, price: 'old' }));
    await at.logged(source, 1);
    const rows = rowsOf(
      { title: 'Known', price: '1' },
      { title: 'Twice', price: '2' },
      { title: 'Twice', price: '3' },
    );
    expect((await send(source, rows)).body).to.deep.equal({ accepted: 3, refused: [] });
    const logged = await at.logged(source, 4);
    const imported = logged.filter(({ origin }) => origin === 'csv');
    expect(imported.map(({ title, outcome }: DeliveryItem) => `${title} ${outcome}`)).to.have.members([
      'Known updated',
      'Twice created',
      'Twice updated',
    ]);
    const find = async (query: string) =>
      (await at.owner.read(`/events?source_id=${source.id}&${query}`)).items;
    const found = (await find('origin=csv')) as { title: string; price: string; origin: string }[];
    expect(found.map(({ title, price, origin }) => `${title} ${price} ${origin}`)).to.have.members([
      'Known 1 csv',
      'Twice 3 csv',
    ]);
    await at.sendTo(source, upsertBody({ title: 'Known', starts_at: STARTS, price: 'new' }));
    await until(async () => (await find('origin=webhook')).length === 1);
  });

  it('a row is about the event with its external_id, or else about the one that has its title, start and location', async () => {
    const source = await at.addSource();
    const event = (title: string, external_id: string) => ({ title, starts_at: STARTS, external_id });
    for (const [title, id] of [
      ['Yoga', 'a'],
      ['Chess', 'b'],
      ['Chess', 'c'],
    ] as const)
      await at.sendTo(source, upsertBody(event(title, id)));
    await at.logged(source, 3);
    const rows = rowsOf(
      { title: 'Yoga late', external_id: 'a' },
      { title: 'Yoga', price: '1' },
      { title: 'Chess' },
      { title: 'Chess', external_id: 'b' },
      { title: 'Choir' },
    );
    const { body } = await at.owner.call('post', '/events/import/check', { source_id: source.id, rows });
    const verdicts = (body.rows as CheckedRow[]).map(({ verdict }) => verdict);
    expect(verdicts).to.deep.equal(['update', 'update', 'bad', 'unchanged', 'new']);
    expect(body.rows[2].errors[0].detail).to.contain('Several events with an external_id');
    expect((await send(source, rows)).body.refused.map(({ row }: { row: number }) => row)).to.deep.equal([4]);
    await at.logged(source, 7);
    const { items } = await at.owner.read(`/events?source_id=${source.id}`);
    const shown = items.map(({ title, price, external_id }: Record<string, unknown>) => [
      title,
      price,
      external_id,
    ]);
    expect(shown).to.have.deep.members([
      ['Yoga', '1', 'a'],
      ['Chess', null, 'b'],
      ['Chess', null, 'c'],
      ['Choir', null, null],
    ]);
    const undone = await at.owner.call('post', '/events/import/undo', {
      source_id: source.id,
      import_id: 'import_1',
    });
    expect(undone.body).to.include({ deleted: 1, restored: 2, left: 0 });
    await at.logged(source, 10);
    const after = (await at.owner.read(`/events?source_id=${source.id}`)).items;
    expect(after.map(({ title, price }: Record<string, unknown>) => [title, price])).to.have.deep.members([
      ['Yoga', null],
      ['Chess', null],
      ['Chess', null],
    ]);
  });

  it('the same rows sent again after a lost response have one effect', async () => {
    const source = await at.addSource();
    const rows = rowsOf({ title: 'Once', price: '1' });
    await send(source, rows);
    await send(source, rowsOf({ title: 'Once', price: '2' }), 'import_2');
    expect((await send(source, rows)).body).to.deep.equal({ accepted: 1, refused: [] });
    const logged = await at.logged(source, 3);
    const repeat = logged.find(({ outcome }) => outcome === 'duplicate');
    expect(logged.map(({ delivery_id }) => delivery_id)).to.include(repeat?.duplicate_of);
    const { body } = await at.owner.call('get', `/events?source_id=${source.id}`);
    expect(body.items[0].price).to.equal('2');
  });

  it('a calendar can cancel events, and the dry run shows whether the event exists', async () => {
    const source = await at.addSource();
    await at.owner.call('patch', `/sources/${source.id}`, { rate_per_second: 1, rate_burst: 1 });
    await send(source, rowsOf({ title: 'Off', price: '5' }, { title: 'On' }), 'import_1', 'ical');
    await at.logged(source, 2);
    const rows = rowsOf({ title: 'Off' }, { title: 'Elsewhere' }).map((row) => ({
      ...row,
      action: 'cancel' as const,
    }));
    const checked = await at.owner.call('post', '/events/import/check', { source_id: source.id, rows });
    const verdicts = (checked.body.rows as CheckedRow[]).map(({ verdict }) => verdict);
    expect(verdicts).to.deep.equal(['cancel', 'nothing']);
    const sent = await send(source, rows.slice(0, 1), 'import_2', 'ical');
    expect(sent.body).to.deep.equal({ accepted: 1, refused: [] });
    const [latest] = await at.logged(source, 3);
    expect(latest).to.deep.include({ action: 'cancel', outcome: 'cancelled', origin: 'ical' });
    const { body } = await at.owner.call('get', `/events?source_id=${source.id}&origin=ical`);
    const found = body.items as { title: string; status: string; price: string | null }[];
    expect(found.map(({ title, status, price }) => `${title} ${status} ${price}`)).to.have.members([
      'Off cancelled 5',
      'On upcoming null',
    ]);
  });

  it('bad rows are rejected individually, each with its field and reason', async () => {
    const source = await at.addSource();
    const answer = await send(source, rowsOf({ title: 'Good' }, { title: 'Bad', recurring: 'hourly' }));
    expect(answer.body.accepted).to.equal(1);
    expect(answer.body.refused[0]).to.deep.include({ row: 3, code: 'validation_failed' });
    expect(answer.body.refused[0].detail).to.match(/^recurring: /);
  });

  it('counts towards the plan, and reports the rows that exceeded it', async () => {
    const { stranger, api } = at;
    const { body } = await stranger.call('post', '/sources', { name: 'Small' });
    await setPlan(api.deps, stranger.me.account.account_id, 'free');
    const titles = Array.from({ length: FREE + 2 }, (_, index) => ({ title: `Row ${index}` }));
    const answer = await stranger.call('post', '/events/import', {
      source_id: body.source.source_id,
      import_id: 'import_1',
      file_name: 'big.csv',
      rows: rowsOf(...titles),
    });
    expect(answer.body.accepted).to.equal(FREE);
    const over = answer.body.refused as { row: number; code: string }[];
    expect(over.map(({ row, code }) => `${row} ${code}`)).to.deep.equal([
      `${FREE + 2} plan_limit_reached`,
      `${FREE + 3} plan_limit_reached`,
    ]);
  });

  it('limits the rows per request, and appears in the audit log', async () => {
    const source = await at.addSource();
    const many = Array.from({ length: IMPORT_BATCH_ROWS + 1 }, (_, index) => ({ title: `Row ${index}` }));
    expectProblem(await send(source, rowsOf(...many)), 'validation_failed');
    await send(source, rowsOf({ title: 'Noted' }));
    const { body } = await at.owner.call('get', '/audit?action=events.imported');
    const [entry] = body.items;
    expect(entry.target).to.deep.equal({ id: source.id, name: 'Booking' });
    expect(entry.detail).to.equal('spring.csv, rows 2 to 2: 1 accepted');
  });
});
