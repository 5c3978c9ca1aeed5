import type { Scope } from '@sluice/contract/account/scopes';
import { hashApiKey } from '@sluice/credentials/api-key';
import { ContendedError } from '@sluice/leads/contention';
import { expect } from 'chai';
import supertest from 'supertest';
import { addKey } from '../../support/api-processes.ts';
import { expectProblem } from '../../support/expect-problem.ts';
import { until } from '../../support/until.ts';
import { useApi } from '../../support/use-api.ts';

const LEADS = '/api/public/leads';
const BOTH: readonly Scope[] = ['read:leads', 'write:leads'];

describe('api: leads of the public API', () => {
  const api = useApi({ config: { KEY_RATE_BURST: 100_000, KEY_RATE_PER_MINUTE: 1_000_000 } });
  let key: string;
  let strange: string;
  let writer: string;
  before(async () => {
    key = await keyOf(api.accountId, BOTH);
    writer = await keyOf(api.accountId, ['write:leads']);
    strange = await keyOf(await api.addAccount(), BOTH);
  });

  const keyOf = (account: string, scopes: readonly Scope[]) => addKey(api, account, scopes);

  const call = (
    method: 'get' | 'post' | 'patch',
    path: string,
    { body, headers = {}, as = key }: { body?: object; headers?: Record<string, string>; as?: string } = {},
  ) => {
    const test = supertest(api.app)
      [method](LEADS + path)
      .set({ authorization: `Bearer ${as}`, ...headers });
    return body === undefined ? test : test.send(body);
  };

  it('creates, reads, changes and moves a lead', async () => {
    const made = await call('post', '', { body: { name: 'Ada', email: 'Ada@example.com' } });
    expect(made.status, made.text).to.equal(201);
    expect(made.body).to.include({ created: true, name: 'Ada', email: 'Ada@example.com', stage: 'stg_new' });
    const { id } = made.body;
    const read = await call('get', `/${id}`);
    expect(read.headers.etag).to.equal(made.headers.etag);
    const changed = await call('patch', `/${id}`, {
      body: { company: 'Engines' },
      headers: { 'if-match': read.headers.etag as string },
    });
    expect(changed.status, changed.text).to.equal(200);
    const stale = { 'if-match': read.headers.etag as string };
    expectProblem(
      await call('patch', `/${id}`, { body: { company: 'X' }, headers: stale }),
      'changed_meanwhile',
    );
    const moved = await call('post', `/${id}/stage`, { body: { stage: 'stg_won' } });
    expect(moved.body).to.include({ stage: 'stg_won', company: 'Engines' });
    const { data } = (await call('get', `/${id}/history`)).body;
    expect(data.map(({ kind }: { kind: string }) => kind)).to.deep.equal([
      'lead.stage_changed',
      'lead.updated',
      'lead.created',
    ]);
  });

  it('writes each change into the audit log, with the key, the address and the lead by its id', async () => {
    const { id } = (await call('post', '', { body: { name: 'Audited' } })).body;
    await call('patch', `/${id}`, { body: { company: 'Engines', stage: 'stg_won' } });
    const own = async () => {
      const { items } = await api.store.auditLog.pageEntries({ account_id: api.accountId, limit: 200 });
      return items.filter(({ target }) => target.id === id);
    };
    await until(async () => (await own()).length === 3);
    const shown = (await own()).map(({ action, actor, detail }) => ({ action, actor, detail }));
    const actor = {
      key_id: (await api.store.apiKeys.findApiKeyByHash(hashApiKey(key)))?.key_id,
      name: 'Test',
    };
    expect(shown).to.have.deep.members([
      { action: 'lead.created', actor, detail: null },
      { action: 'lead.changed', actor, detail: 'company' },
      { action: 'lead.stage_changed', actor, detail: 'stg_won' },
    ]);
    expect((await own()).every(({ address }) => address.includes('127.0.0.1'))).to.equal(true);
  });

  it('rejects wrong input with code and pointer, and writes nothing', async () => {
    const count = async () => api.mongo.db.collection('leads').countDocuments({});
    await call('post', '', { body: { name: 'Taken', external_id: 'crm-1' } });
    const before = await count();
    for (const [body, code, pointer] of [
      [{ nam: 'Ada' }, 'validation_failed', '/nam'],
      [{ name: 7 }, 'validation_failed', '/name'],
      [{ name: 'x'.repeat(201) }, 'validation_failed', '/name'],
      [{ email: { $gt: '' } }, 'validation_failed', '/email'],
      [{ name: 'Ada', stage: 'stg_none' }, 'unknown_stage', '/stage'],
      [{ name: 'Ada', external_id: 'crm-1' }, 'external_id_taken', '/external_id'],
      [{ name: 'Ada', tags: Array.from({ length: 10_000 }, () => 'x') }, 'validation_failed', '/tags'],
      [{ company: 'Engines' }, 'validation_failed', ''],
    ] as const) {
      const answer = await call('post', '', { body });
      expectProblem(answer, code);
      const { errors, message, detail } = JSON.parse(answer.text);
      expect(errors[0].pointer, answer.text).to.equal(pointer);
      expect(message).to.equal(detail);
    }
    expectProblem(await call('post', '', { body: { note: 'x'.repeat(300_000) } }), 'payload_too_large');
    expectProblem(await call('get', '?emial=a'), 'validation_failed');
    expect(await count()).to.equal(before);
  });

  it('pages with a cursor that no other list, filter or account accepts', async () => {
    for (let n = 0; n < 5; n++) await call('post', '', { body: { name: `P ${n}`, tags: ['page'] } });
    const first = await call('get', '?limit=2&tag=page');
    expect(first.body).to.include({ has_more: true });
    const cursor = first.body.next_cursor as string;
    expect(first.headers.link).to.match(/^<http.*cursor=.*>; rel="next"$/);
    const rest = await call('get', `?limit=200&tag=page&cursor=${cursor}`);
    expect(rest.body.data).to.have.length(3);
    expect(rest.body).to.include({ next_cursor: null, updated_until: first.body.updated_until });
    const end = await call('get', '?tag=page&cursor=');
    expect([end.status, end.text]).to.deep.equal([204, '']);
    for (const [path, as] of [
      [`?cursor=${cursor}`],
      [`?tag=page&sort=updated_at&cursor=${cursor}`],
      [`?tag=page&cursor=${cursor}`, strange],
      [`?tag=page&cursor=x${cursor}`],
      ['?cursor=nonsense'],
    ] as const)
      expectProblem(await call('get', path, as === undefined ? {} : { as }), 'cursor_invalid');
  });

  it('an external_id that is taken names its lead only to a key that may read leads', async () => {
    const held = await call('post', '', { body: { name: 'Holder', external_id: 'taken' } });
    const other = await call('post', '', { body: { name: 'Other' } });
    const take = (as: string) => call('patch', `/${other.body.id}`, { body: { external_id: 'taken' }, as });
    expect((await take(key)).text).to.contain(held.body.id);
    const answer = await take(writer);
    expectProblem(answer, 'external_id_taken');
    expect(answer.text).not.to.contain(held.body.id);
  });

  it('one Idempotency-Key makes one lead, and the answer is given again', async () => {
    const headers = { 'idempotency-key': '"flow-1"' };
    const body = { name: 'Once' };
    const first = await call('post', '', { body, headers });
    const again = await call('post', '', { body, headers: { 'idempotency-key': 'flow-1' } });
    expect([again.status, again.body]).to.deep.equal([first.status, first.body]);
    expect(again.headers['idempotency-replayed']).to.equal('true');
    expect(first.headers).not.to.have.property('idempotency-replayed');
    expectProblem(await call('post', '', { body: { name: 'Other' }, headers }), 'idempotency_key_reused');
    const other = await call('post', '', { body, headers, as: writer });
    expect(other.body.id).not.to.equal(first.body.id);
    const stored = JSON.stringify(await api.mongo.db.collection('idempotency_keys').find().toArray());
    expect(stored).not.to.contain('Once').and.not.to.contain('flow-1');
  });

  it('a lead that too many requests change at once gets 503 with Retry-After, and can be repeated', async () => {
    const { id } = (await call('post', '', { body: { name: 'Popular' } })).body;
    const { idempotency } = api.store;
    const { begin } = idempotency;
    const change = () =>
      call('post', `/${id}/stage`, { body: { stage: 'stg_won' }, headers: { 'idempotency-key': 'popular' } });
    Object.assign(idempotency, { begin: () => Promise.reject(new ContendedError('busy')) });
    const busy = await change().then((answer) => {
      Object.assign(idempotency, { begin });
      return answer;
    });
    expectProblem(busy, 'unavailable');
    expect(busy.headers['retry-after']).to.equal('2');
    expect((await change()).body).to.include({ stage: 'stg_won' });
  });

  it('a request whose process died is completed under the same ids after its lease', async () => {
    const { idempotency } = api.store;
    const { keepAnswer, endLease } = idempotency;
    const die = () => Promise.reject(new Error('killed'));
    Object.assign(idempotency, { keepAnswer: die, endLease: die });
    const headers = { 'idempotency-key': 'dies' };
    const send = () => call('post', '', { body: { name: 'Survivor' }, headers });
    expect((await send()).status).to.equal(500);
    Object.assign(idempotency, { keepAnswer, endLease });
    expectProblem(await send(), 'idempotency_in_progress');
    await api.mongo.db
      .collection('idempotency_keys')
      .updateMany({ answer: null }, { $set: { lease_until: new Date(0) } });
    const done = await send();
    expect([done.status, done.body.created], done.text).to.deep.equal([201, true]);
    expect(await api.mongo.db.collection('leads').countDocuments({ name: 'Survivor' })).to.equal(1);
  });
});
