import { createFoldedRefusals } from '@sluice/admission/folded-refusals';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import { createKeyspace } from '@sluice/redis/keyspace';
import { PRESETS } from '@sluice/signature/presets/presets';
import { signAs } from '@sluice/signature/sender/sign-as';
import { expect } from 'chai';
import { startIngress, type TestSource } from '../support/ingress.ts';
import { post } from '../support/post.ts';
import { useRedisClient } from '../support/redis-client.ts';
import { use } from '../support/use.ts';

const MAPPING = {
  rules: [
    { when: [{ at: '/event', eq: 'ping' }], do: 'ignore' },
    {
      when: [{ at: '/event', eq: 'booked' }],
      do: 'upsert',
      event: { title: { at: '/data/name' }, starts_at: { at: '/data/start' } },
    },
    {
      when: [{ header: 'X-Topic', eq: 'gone' }],
      do: 'cancel',
      event: { title: { at: '/data/name' }, starts_at: { at: '/data/start' } },
    },
  ],
};
const DATA = { name: 'Yoga', start: '2027-03-01T10:00:00Z' };

describe('ingress: sources with a mapping', () => {
  const redis = useRedisClient();
  const ingress = use(startIngress);

  const senderOf = (mapping: object) => ({
    ...{ preset: 'github', verify: PRESETS.github.verify, mapping: JSON.stringify(mapping) },
    mapping_version: 4,
  });
  const addSource = (body_storage: 'all' | 'failures' | 'none' = 'all', plan = 'unlimited') =>
    ingress.addSource({ body_storage, plan, sender: senderOf(MAPPING) });
  const send = (source: TestSource, body: object | string, headers = {}) => {
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const signature = signAs(PRESETS.github.verify, { secret: source.secret, body: bytes, id: '', nowMs: 0 });
    return post(ingress.url + source.path, {
      body: bytes,
      headers: { 'content-type': 'application/json', ...signature, ...headers },
    });
  };
  const actionsOf = async ({ sourceId }: TestSource) =>
    (await ingress.enqueuedActions()).filter(({ source_id }) => source_id === sourceId);
  const rowsOf = async ({ sourceId }: TestSource) =>
    (await ingress.enqueuedRefusals()).filter(({ source_id }) => source_id === sourceId);

  it('enqueue the action that a rule makes of a foreign body, beside the body as sent', async () => {
    const source = await addSource();
    expect((await send(source, { event: 'booked', data: DATA })).status).to.equal(200);
    expect((await send(source, { data: DATA }, { 'X-Topic': 'gone' })).status).to.equal(200);
    const [upsert, cancel] = await actionsOf(source);
    expect(upsert?.action).to.include({ kind: 'upsert' });
    expect(upsert?.action.identity).to.include({ title: 'Yoga', starts_at: Date.UTC(2027, 2, 1, 10) });
    expect(JSON.parse(String(upsert?.request?.body))).to.deep.equal({ event: 'booked', data: DATA });
    expect(cancel?.action).to.include({ kind: 'cancel' });
    expect(cancel?.mapped).to.deep.equal({ preset: 'github', version: 4, rule: 2 });
  });

  it('answer 200 to what a rule ignores or no rule matches, and log it', async () => {
    const source = await addSource();
    const pinged = await send(source, { event: 'ping' });
    expect(pinged).to.include({ status: 200 });
    expect(pinged.body).to.include({ ok: true, status: 'ok', ignored: true });
    expect((await send(source, { event: 'other' })).body).to.include({ ignored: true });
    const rows = await rowsOf(source);
    const mapped = { preset: 'github', version: 4 };
    expect(rows.map((row) => [row.code, row.unapplied, row.mapped])).to.deep.equal([
      [null, 'ignored_by_rule', { ...mapped, rule: 0 }],
      [null, 'no_rule', mapped],
    ]);
    expect(rows[0]).to.include({ delivery_id: pinged.body.delivery_id, action: null });
    expect(rows[0]?.request?.body).to.equal('{"event":"ping"}');
    expect(await actionsOf(source)).to.deep.equal([]);
  });

  it('answer 200 to what cannot be mapped, and log field and pointer', async () => {
    const source = await addSource();
    const answer = await send(source, { event: 'booked', data: { name: 'Yoga' } });
    expect(answer).to.include({ status: 200 });
    expect(answer.body.note).to.contain('starts_at (/data/start): Required');
    expect((await send(source, 'no JSON')).status).to.equal(200);
    const rows = await rowsOf(source);
    expect(rows.map((row) => [row.unapplied, row.mapped?.rule])).to.deep.equal([
      ['mapping_failed', 1],
      ['mapping_failed', undefined],
    ]);
    expect(rows[0]?.reason).to.equal(answer.body.note);
  });

  it('reject what cannot be mapped if nothing else preserves the body', async () => {
    const source = await addSource('none');
    const answer = await send(source, { event: 'booked', data: {} });
    expect(answer.body).to.include({ status: 400, code: 'mapping_failed' });
    expect(answer.body.detail).to.contain('title (/data/name): Required');
    expect((await rowsOf(source))[0]).to.include({ code: 'mapping_failed' });
    expect((await send(source, { event: 'ping' })).status).to.equal(200);
  });

  it('answer 200 to bodies that are deep, wide or named as a prototype, and go on', async () => {
    const source = await addSource();
    const bodies = [
      '['.repeat(100_000) + ']'.repeat(100_000),
      `{"event":"booked","data":${'{"name":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
      `{"event":"booked","data":{"name":[${'[],'.repeat(60_000)}1],"start":{}}}`,
      '{"__proto__":{"event":"booked"},"constructor":{"prototype":{"data":{}}}}',
      '{"event":{"toString":1},"data":"__proto__"}',
    ];
    for (const body of bodies) expect((await send(source, body)).status, body.slice(0, 40)).to.equal(200);
    const codes = (await rowsOf(source)).map(({ unapplied }) => unapplied);
    expect(codes).to.deep.equal(['no_rule', 'mapping_failed', 'mapping_failed', 'no_rule', 'no_rule']);
    expect((await send(source, { event: 'booked', data: DATA })).body.note).to.equal(undefined);
  });

  it('store no ignored body for a source that stores those of failures', async () => {
    const source = await addSource('failures');
    await send(source, { event: 'ping' });
    await send(source, { event: 'booked', data: {} });
    expect((await rowsOf(source)).map(({ request }) => typeof request?.body)).to.deep.equal([
      'object',
      'string',
    ]);
  });

  it('give 100 ignored requests of a minute a row, and count the others by code', async () => {
    const source = await addSource();
    const minute = () => Math.floor(Date.now() / MINUTE_MS);
    const began = minute();
    for (let n = 0; n < 105; n++) await send(source, { event: n % 2 ? 'ping' : 'other', n });
    const last = await send(source, { event: 'ping' });
    expect(last).to.include({ status: 200 });
    expect(last.body).to.include({ ignored: true });
    // Each minute has its own rows. Nearly every run is within one.
    if (minute() === began) expect(await rowsOf(source)).to.have.length(100);
    const rows = await rowsOf(source);
    expect(rows.every(({ request }) => typeof request?.body === 'string')).to.equal(true);
    const folded = createFoldedRefusals({ redis, keyspace: createKeyspace(ingress.namespace) });
    const counts = (await folded.read()).filter(({ source_id }) => source_id === source.sourceId);
    expect(rows.length + counts.reduce((sum, { count }) => sum + count, 0)).to.equal(106);
    expect((await send({ ...source, secret: 'another secret' }, {})).status).to.equal(401);
    expect(await rowsOf(source), 'a wrong signature has its own row').to.have.length(rows.length + 1);
  });

  it('count only upserts towards the plan', async () => {
    const source = await addSource('all', 'free');
    for (let n = 0; n < 4; n++) expect((await send(source, { event: 'ping' })).status).to.equal(200);
    for (let n = 0; n < 3; n++)
      expect((await send(source, { event: 'booked', data: DATA })).status).to.equal(200);
    expect((await send(source, { event: 'booked', data: DATA })).body.code).to.equal('plan_limit_reached');
  });

  it('reject a wrong signature and an inactive source as ever', async () => {
    const source = await addSource();
    const wrong = await send({ ...source, secret: 'another secret' }, { event: 'ping' });
    expect(wrong.body.code).to.equal('signature_invalid');
    await ingress.changeSource(source, { active: false });
    expect((await send(source, { event: 'ping' })).body.code).to.equal('source_inactive');
  });

  it('use a change of the mapping for the very next request', async () => {
    const source = await addSource();
    expect((await send(source, { event: 'booked', data: DATA })).body.ignored).to.equal(undefined);
    await ingress.changeSource(source, { sender: senderOf({ rules: [{ do: 'ignore' }] }) });
    expect((await send(source, { event: 'booked', data: DATA })).body.ignored).to.equal(true);
  });
});
