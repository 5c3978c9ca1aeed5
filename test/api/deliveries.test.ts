import type { ProblemCode } from '@sluice/contract/problem/problem';
import type { DeliveryChanges, DeliveryDetail, DeliveryItem } from '@sluice/dashboard-api/deliveries';
import { WRITTEN_WITHIN_MS } from '@sluice/store/deliveries/delivery-search';
import { expect } from 'chai';
import { delivery } from '../store/support.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { post } from '../support/post.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { useInstallation } from './support/installation.ts';

describe('api: deliveries of a source, on a running installation', () => {
  const at = useInstallation();

  it('a delivery is listed with its request, response, timeline and latency', async () => {
    const source = await at.addSource();
    const body = upsertBody({ title: 'Open day' });
    const answer = await at.sendTo(source, body);
    const [row] = await at.logged(source, 1);
    expect(row).to.deep.include({
      delivery_id: answer.body.delivery_id,
      action: 'upsert',
      http_status: 200,
      title: 'Open day',
      outcome: 'created',
      origin: 'webhook',
      bytes: Buffer.byteLength(JSON.stringify(body)),
    });
    expect(row?.latency_ms).to.be.within(0, 10_000);
    const { body: detail } = await at.owner.call('get', `/deliveries/${row?.delivery_id}`);
    expect(JSON.parse(detail.request.body)).to.deep.equal(body);
    expect(detail.request.url).to.equal(`https://events.example.com/api/v1/events/webhook/${source.id}`);
    expect(detail.request.headers['X-Service-Signature']).to.match(/^sha256=[0-9a-f]{8}…$/);
    expect(JSON.parse(detail.answer.body)).to.deep.equal({
      ok: true,
      status: 'ok',
      delivery_id: row?.delivery_id,
    });
    expect(detail.timeline.map(({ step }: { step: string }) => step)).to.deep.equal([
      'received',
      'admitted',
      'applied',
    ]);
    expect(detail).to.deep.include({
      why: null,
      not_reprocessable: null,
      body_absent: null,
      reprocessed_as: [],
    });
    expectProblem(await at.stranger.call('get', `/deliveries/${row?.delivery_id}`), 'not_found');
    expectProblem(await at.stranger.call('post', `/deliveries/${row?.delivery_id}/reprocess`), 'not_found');
  });

  it('a delivery that was rejected with a code of a newer version is shown', async () => {
    const source = await at.addSource();
    await at.sendTo(source, { action: 'explode' });
    const [item] = await at.logged(source, 1);
    const { deliveries } = at.api.store;
    const newer = { code: 'of_a_later_version' as ProblemCode, http_status: 418, reason: null };
    for await (const row of deliveries.listDeliveries({ source_id: source.id }))
      await deliveries.replaceDelivery({ ...row, ...newer });
    const { status, body } = await at.owner.call('get', `/deliveries/${item?.delivery_id}`);
    expect(status).to.equal(200);
    expect(body.delivery).to.include({ code: 'of_a_later_version', http_status: 418 });
    expect(JSON.parse(body.answer.body)).to.include({ code: 'of_a_later_version', status: 418 });
    expect(body.why).to.include({ title: 'of_a_later_version' });
    expect(body.why.what).to.equal('The request was rejected with 418 of_a_later_version.');
  });

  it('lists what came since the newest known row, also what was written late, until more came than it lists', async () => {
    const source = await at.addSource();
    const changes = async (since?: string) => {
      const query = `source_id=${source.id}${since === undefined ? '' : `&since=${since}`}`;
      return (await at.owner.read(`/deliveries/changes?${query}`)) as DeliveryChanges;
    };
    const idsOf = ({ items }: DeliveryChanges) => items.map(({ delivery_id }) => delivery_id);
    const newest = Math.floor(Date.now() / 1000) * 1000;
    const insert = (...ages: number[]) =>
      at.api.store.deliveries.insertDeliveries(
        ages.map((age) =>
          delivery({
            ...{ delivery_id: `${source.id}_${age}`, request_id: `req_${age}`, received_at: newest - age },
            ...{ source_id: source.id, account_id: source.id, sequence: newest - age },
          }),
        ),
      );
    await insert(5000);
    const { until: first, ...start } = await changes();
    expect(start).to.deep.equal({ items: [], more: false });
    expect(Date.parse(first)).to.equal(newest - 5000);
    await insert(0, 8000, WRITTEN_WITHIN_MS + 5001);
    const second = await changes(first);
    expect(idsOf(second)).to.deep.equal([`${source.id}_0`, `${source.id}_5000`, `${source.id}_8000`]);
    expect({ ...second, items: [] }).to.deep.equal({
      ...{ items: [], more: false },
      until: new Date(newest).toISOString(),
    });
    expect(await changes(second.until), 'nothing has come').to.deep.equal(second);

    await insert(...Array.from({ length: 199 }, (_, index) => 1 + index));
    expect((await changes(second.until)).more, 'only older rows are left out').to.equal(false);
    expect((await changes(first)).items).to.have.length(200);
    expect((await changes(first)).more).to.equal(true);
    expectProblem(await at.stranger.call('get', `/deliveries/changes?source_id=${source.id}`), 'not_found');
  });

  it('a delivery refers to the previous one of the same event only', async () => {
    const source = await at.addSource();
    const send = async (title: string) => {
      const { body } = await at.sendTo(source, upsertBody({ title }));
      return body.delivery_id as string;
    };
    const first = await send('Open day');
    const other = await send('Jazz night');
    const second = await send('Open day');
    const third = await send('Open day');
    await at.logged(source, 4);
    const previous = async (id: string) =>
      ((await at.owner.read(`/deliveries/${id}`)) as DeliveryDetail).previous;
    expect(await Promise.all([first, other, second, third].map(previous))).to.deep.equal([
      null,
      null,
      first,
      second,
    ]);
  });

  it('a rejected delivery shows why and which check failed, and has no body if the signature was invalid', async () => {
    const source = await at.addSource();
    await post(source.url, signed({ secret: 'whsec_wrong', body: upsertBody({ title: 'Forged' }) }));
    await post(source.url, signed({ secret: source.secret, body: upsertBody(), timestamp: Date.now() }));
    await at.sendTo(source, { action: 'upsert', event: { title: 'No date' } });
    const rows = await at.logged(source, 3);
    const detailOf = async (code: string) =>
      await at.owner.read(`/deliveries/${rows.find((row) => row.code === code)?.delivery_id}`);
    const forged = await detailOf('signature_invalid');
    expect(forged).to.deep.include({ body_absent: 'not_signed', not_reprocessable: 'not_verified' });
    expect(forged.request).to.include({ body: null, address: '127.0.0.1' });
    expect(forged.request.headers['X-Service-Signature']).to.match(/^sha256=[0-9a-f]{8}…$/);
    expect(forged.request.headers['X-Service-Timestamp']).to.match(/^\d+$/);
    expect(JSON.stringify(forged)).not.to.contain('Forged');
    expect(forged.why.checks.at(-1)).to.deep.equal({
      name: 'The signature matches the timestamp, body and secret',
      passed: false,
    });
    expect((await detailOf('timestamp_expired')).why.what).to.contain('milliseconds');
    const invalid = await detailOf('validation_failed');
    expect(invalid.why.what).to.contain('/event/starts_at');
    expect(invalid).to.deep.include({ body_absent: null, not_reprocessable: 'not_an_action' });
    expectProblem(
      await at.owner.call('post', `/deliveries/${forged.delivery.delivery_id}/reprocess`),
      'not_reprocessable',
    );
  });

  it('a rejected delivery is found by its request id within its account, an accepted one is not', async () => {
    const source = await at.addSource();
    const refused = await at.sendTo(source, { action: 'upsert', event: { title: 'No date' } });
    const accepted = await at.sendTo(source, upsertBody());
    const rows = await at.logged(source, 2);
    const { request_id } = refused.body;
    const found = await at.owner.read(`/deliveries/${request_id}`);
    expect(found.delivery).to.deep.equal(rows.find((row) => row.code === 'validation_failed'));
    expectProblem(await at.stranger.call('get', `/deliveries/${request_id}`), 'not_found');
    const other = accepted.headers.get('x-request-id');
    expect(rows.map((row) => row.request_id)).to.contain(other);
    expectProblem(await at.owner.call('get', `/deliveries/${other}`), 'not_found');
  });

  it('a source that stores bodies of failures only stores those of rejected and failed deliveries', async () => {
    const source = await at.addSource();
    await at.owner.call('patch', `/sources/${source.id}`, { body_storage: 'failures' });
    await at.sendTo(source, upsertBody({ title: 'Private' }));
    await at.sendTo(source, { action: 'upsert', event: { title: 'No date' } });
    await post(source.url, signed({ secret: 'whsec_wrong', body: upsertBody({ title: 'Forged' }) }));
    const rows = await at.logged(source, 3);
    const absent = await Promise.all(
      rows.map(async ({ delivery_id, outcome, code, bytes }) => {
        const { body } = await at.owner.call('get', `/deliveries/${delivery_id}`);
        return [code ?? outcome, body.body_absent, bytes];
      }),
    );
    expect(absent).to.have.deep.members([
      ['created', 'failures_only', null],
      ['validation_failed', null, 47],
      ['signature_invalid', 'not_signed', 81],
    ]);
  });

  it('filters by status, code, action, outcome, time and part of the title; pages contain each row once', async () => {
    const source = await at.addSource();
    for (let i = 0; i < 12; i++) await at.sendTo(source, upsertBody({ title: `Concert ${i} (a.b)` }));
    await at.sendTo(source, {
      action: 'cancel',
      event: { title: 'Nothing there', starts_at: '2027-01-01T10:00Z' },
    });
    await post(source.url, signed({ secret: 'whsec_wrong', body: '{}' }));
    const all = await at.logged(source, 14);
    expect(await at.list(source, '&status_class=4xx')).to.have.length(1);
    expect(await at.list(source, '&status=200')).to.have.length(13);
    expect(await at.list(source, '&code=signature_invalid')).to.have.length(1);
    expect(await at.list(source, '&action=cancel&outcome=not_found')).to.have.length(1);
    expect(await at.list(source, `&title=${encodeURIComponent('(A.B')}`)).to.have.length(12);
    const third = all[3]?.received_at as string;
    const newer = await at.list(source, `&from=${encodeURIComponent(third)}`);
    const older = await at.list(source, `&to=${encodeURIComponent(third)}`);
    expect(newer.length + older.length).to.equal(14);
    const seen: string[] = [];
    let cursor = '';
    for (;;) {
      const { body } = await at.owner.call(
        'get',
        `/deliveries?source_id=${source.id}&limit=5${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...body.items.map((row: DeliveryItem) => row.delivery_id));
      if (body.next_cursor === null) break;
      cursor = body.next_cursor;
    }
    expect(seen).to.deep.equal(all.map((row) => row.delivery_id));
    expectProblem(await at.owner.call('get', `/deliveries?source_id=${source.id}&cursor=x`), 'bad_request');
    expectProblem(
      await at.owner.call('get', `/deliveries?source_id=${source.id}&status=abc`),
      'validation_failed',
    );
    expectProblem(await at.owner.call('get', '/deliveries/count'), 'validation_failed');
  });

  it('lists and counts the rows of all sources of the account, and of no other', async () => {
    const [first, second] = [await at.addSource(), await at.addSource()];
    for (const source of [first, second]) {
      await at.sendTo(source, upsertBody({ title: 'Everywhere' }));
      await at.logged(source, 1);
    }
    const { items } = await at.owner.read('/deliveries?title=everywhere');
    expect(items.map((row: { source_id: string }) => row.source_id)).to.have.members([first.id, second.id]);
    expect(await at.owner.read('/deliveries/size?title=everywhere')).to.deep.equal({ rows: 2, more: false });
    const others = await at.stranger.read('/deliveries?title=everywhere');
    expect(others.items).to.deep.equal([]);
    const csv = await at.owner.call('get', '/deliveries/export?title=everywhere&format=csv');
    expect(csv.text.match(/Everywhere/g)).to.have.length(2);
  });
});
