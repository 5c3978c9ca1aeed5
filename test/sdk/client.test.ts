import { expect } from 'chai';
import { createClient, etagOf, isProblem, type SluiceClient, SluiceProblem } from '#sdk';
import { use } from '../support/use.ts';
import { serveApi } from './support/served-api.ts';

describe('sdk: the client and a real API', function () {
  this.timeout(60_000);
  const served = use(serveApi);
  let accountId: string;
  let sluice: SluiceClient;
  beforeEach(async () => {
    accountId = await served.api.addAccount();
    sluice = createClient({ baseUrl: served.url, apiKey: await served.addKey(accountId) });
  });

  const problemOf = async (call: Promise<unknown>): Promise<SluiceProblem> => {
    const error = await call.then(
      () => undefined,
      (reason) => reason,
    );
    expect(error).to.be.instanceOf(SluiceProblem);
    return error as SluiceProblem;
  };

  it('creates, reads, changes, moves and matches a lead', async () => {
    expect((await sluice.me()).account.id).to.equal(accountId);
    const made = await sluice.leads.create({ name: 'Ada', email: 'ada@example.com', fields: { budget: 5 } });
    expect(made.created).to.equal(true);
    const again = await sluice.leads.create(
      { email: 'ADA@example.com', company: 'Acme' },
      { matchOn: 'email' },
    );
    expect(again).to.include({ id: made.id, created: false, company: 'Acme' });
    const [, contacted] = await sluice.leads.stages();
    await sluice.leads.move(made.id, { stage: contacted?.id ?? '' });
    await sluice.leads.update(made.id, { note: 'Called', company: null });
    const lead = await sluice.leads.get(made.id);
    expect(lead).to.include({ name: 'Ada', company: null, note: 'Called', stage: contacted?.id });
    expect(lead.fields).to.deep.equal({ budget: 5 });
    expect((await sluice.leads.fields()).map(({ key }) => key)).to.include.members([
      'email',
      'fields.budget',
    ]);
    expect((await sluice.leads.history(made.id).toArray()).length).to.be.above(1);
  });

  it('reads each lead exactly once while others are added and changed', async () => {
    const ids = new Set<string>();
    for (let n = 0; n < 25; n += 1) ids.add((await sluice.leads.create({ name: `Lead ${n}` })).id);
    const [first = ''] = ids;
    const seen: string[] = [];
    for await (const { id } of sluice.leads.list({ limit: 10 })) {
      seen.push(id);
      if (seen.length % 7 !== 0) continue;
      await sluice.leads.create({ name: 'Added meanwhile' });
      await sluice.leads.update(first, { note: `Changed at ${seen.length}` });
    }
    const old = seen.filter((id) => ids.has(id));
    expect(old).to.have.length(25);
    expect(new Set(seen).size).to.equal(seen.length);
  });

  it('guards a change by the ETag of the record that it read', async () => {
    const made = await sluice.leads.create({ name: 'Ada' });
    const read = await sluice.leads.get(made.id);
    expect(etagOf(read)).to.equal(etagOf(made));
    const changed = await sluice.leads.update(made.id, { note: 'Called' }, { ifMatch: etagOf(read) });
    const late = sluice.leads.update(made.id, { note: 'Late' }, { ifMatch: etagOf(read) });
    expect(await problemOf(late)).to.include({ status: 412, code: 'changed_meanwhile' });
    await sluice.leads.move(made.id, { stage: 'stg_won' }, { ifMatch: etagOf(changed) });
    const [item] = await sluice.leads.list().toArray();
    for (const other of [{ ...read }, item as object])
      expect(() => etagOf(other)).to.throw(TypeError, 'has no ETag');
  });

  it('follows no redirect, and names the address to use', async () => {
    const moved = createClient({ baseUrl: served.front.url, apiKey: 'key' });
    for (const status of [301, 302, 303, 307, 308]) {
      const base = `${served.url}/new`;
      served.front.deeds = [{ status, headers: { Location: `${base}/api/public/leads` } }];
      const { detail } = await problemOf(moved.leads.create({ name: 'Ada' }));
      expect(detail).to.equal(`The server redirects to ${base}: use that address as baseUrl.`);
    }
    served.front.deeds = [{ status: 302 }];
    expect((await problemOf(moved.me())).detail).to.include('redirects to another address');
  });

  it('throws a problem for a page in place of JSON', async () => {
    const page = createClient({ baseUrl: `${served.front.url}/settings`, apiKey: 'key' });
    served.front.deeds = [{ status: 200, headers: { 'Content-Type': 'text/html' }, body: '<!doctype html>' }];
    const problem = await problemOf(page.me());
    expect(problem).to.include({ status: 200, code: 'unexpected_response' });
    expect(problem.detail).to.match(
      /\/settings\/api\/public\/automation\/me responded with 200 and text\/html/,
    );
  });

  it('rejects an address and a key that cannot work before any call', () => {
    for (const baseUrl of ['', 'localhost:8081', 'api.example.com', 'ftp://example.com', 'http://'])
      expect(() => createClient({ baseUrl, apiKey: 'slc_live_x' })).to.throw(TypeError, 'baseUrl');
    for (const apiKey of [' ', '', undefined as never])
      expect(() => createClient({ baseUrl: served.url, apiKey })).to.throw(TypeError, 'apiKey is empty');
    const swapped = () => createClient({ baseUrl: 'slc_live_secret', apiKey: served.url });
    expect(swapped).to.throw(TypeError).with.property('message').that.does.not.include('secret');
  });

  it('rejects an id that would become another path, so that no list comes back as a record', async () => {
    await sluice.leads.create({ name: 'Ada' });
    for (const id of ['', '.', '..', undefined as never, null as never])
      for (const call of [
        () => sluice.leads.get(id),
        () => sluice.leads.update(id, { note: 'x' }),
        () => sluice.leads.history(id).first(),
        () => sluice.webhooks.delete(id),
        () => sluice.http.GET('/api/public/leads/{leadId}', { params: { path: { leadId: id } } }),
      ]) {
        const error = await call().then(
          () => undefined,
          (reason: unknown) => reason,
        );
        expect(error, String(id)).to.be.instanceOf(TypeError).with.property('message').that.includes('Id ');
      }
  });

  it('works with an address that ends with a slash, and names itself with its version', async () => {
    const fetched: Request[] = [];
    const fetch = (request: Request) => {
      fetched.push(request);
      return globalThis.fetch(request);
    };
    const slash = createClient({ baseUrl: `${served.url}/`, apiKey: await served.addKey(accountId), fetch });
    expect((await slash.me()).account.id).to.equal(accountId);
    expect(fetched[0]?.headers.get('user-agent')).to.match(/^sluice-sdk\/\d+\.\d+\.\d+$/);
  });

  it('filters by a Date and by any value that JSON writes as a text', async () => {
    await sluice.leads.create({ name: 'Ada' });
    const soon = new Date(Date.now() + 3_600_000);
    expect(await sluice.leads.list({ updated_since: soon }).toArray()).to.deep.equal([]);
    const other = { toJSON: () => soon.toISOString() } as never;
    expect(await sluice.leads.list({ updated_since: other }).toArray()).to.deep.equal([]);
  });

  it('rejects a call with an invalid Date before it is sent, and says what to pass', async () => {
    const unset = new Date(Number.NaN);
    const calls = [
      ['updated_since', () => sluice.leads.list({ updated_since: unset }).first()],
      ['since', () => sluice.webhooks.recover('whs_1', unset)],
    ] as const;
    for (const [name, call] of calls) {
      // A call that throws at once fails here, outside of `catch`.
      const error = await call().catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(TypeError);
      expect((error as TypeError).message).to.match(new RegExp(`^${name} is an invalid Date`));
    }
  });

  it('gives pages, the first page, and at most as many items as asked for', async () => {
    for (let n = 0; n < 5; n += 1) await sluice.leads.create({ name: `Lead ${n}` });
    const list = sluice.leads.list({ limit: 2, sort: 'created_at' });
    const pages = [];
    for await (const page of list.pages()) pages.push(page);
    expect(pages.map(({ data }) => data.length)).to.deep.equal([2, 2, 1]);
    expect(pages.at(-1)?.next_cursor).to.equal(null);
    expect((await list.first()).updated_until).to.be.a('string');
    expect((await list.toArray({ max: 3 })).map(({ name }) => name)).to.deep.equal([
      'Lead 0',
      'Lead 1',
      'Lead 2',
    ]);
  });

  it('throws a problem with code, status, sentence, fields and request id', async () => {
    const problem = await problemOf(sluice.leads.create({ name: 'A', email: 'no address' }));
    expect(problem).to.include({ status: 400, code: 'validation_failed' });
    expect(problem.message).to.equal(problem.detail);
    expect(problem.errors[0]).to.include({ pointer: '/email', field: 'email' });
    expect(problem.requestId).to.be.a('string');
    expect(isProblem(problem, 'not_found')).to.equal(false);
    expect(isProblem(problem, 'validation_failed')).to.equal(true);
  });

  it('types the problems of a wrong key, scope, id, cursor, stage and revision', async () => {
    const other = (apiKey: string) => createClient({ baseUrl: served.url, apiKey });
    expect(await problemOf(other('slc_live_x').me())).to.include({ status: 401, code: 'key_invalid' });
    const scope = await problemOf(other(await served.addKey(accountId, ['webhooks'])).leads.get('lead_1'));
    expect(scope).to.include({ status: 403, code: 'scope_missing' });
    expect(scope.requiredScopes).to.deep.equal(['read:leads']);
    expect(await problemOf(sluice.leads.get('lead_1'))).to.include({ status: 404, code: 'not_found' });
    const cursor = sluice.leads.list({ cursor: 'x' } as never).toArray();
    expect(await problemOf(cursor)).to.include({ status: 400, code: 'cursor_invalid' });
    const { id } = await sluice.leads.create({ name: 'Ada', external_id: 'crm-1' });
    expect(await problemOf(sluice.leads.move(id, { stage: 'stg_x' }))).to.include({ code: 'unknown_stage' });
    expect(await problemOf(sluice.leads.create({ external_id: 'crm-1' }))).to.include({
      status: 409,
      code: 'external_id_taken',
    });
    const stale = sluice.leads.update(id, { note: 'x' }, { ifMatch: '"999"' });
    expect(await problemOf(stale)).to.include({ status: 412, code: 'changed_meanwhile' });
    const options = { idempotencyKey: 'order-1' };
    await sluice.leads.create({ name: 'One' }, options);
    const reused = sluice.leads.create({ name: 'Two' }, options);
    expect(await problemOf(reused)).to.include({ status: 422, code: 'idempotency_key_reused' });
  });

  it('lists event kinds and typed samples, and deletes a subscription that is gone without an error', async () => {
    const kinds = await sluice.webhooks.eventKinds({ q: 'lead' });
    expect(kinds.map(({ id }) => id)).to.include('lead.created');
    const [sample] = await sluice.webhooks.samples('lead.created', { limit: 1 });
    if (sample?.type !== 'lead.created') throw new Error(`A sample of ${sample?.type}`);
    expect(sample.data.email).to.be.a('string');
    await sluice.webhooks.delete('sub_gone');
    await sluice.webhooks.deleteByUrl('https://hooks.example.com/gone');
    expect(await sluice.webhooks.list().toArray()).to.deep.equal([]);
  });
});
