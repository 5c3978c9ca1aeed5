import { expect } from 'chai';
import supertest from 'supertest';
import { expectProblem } from '../../support/expect-problem.ts';
import { expectDocumented } from '../../support/openapi.ts';
import { upsertBody } from '../../support/signed.ts';
import { type Source, useInstallation } from '../support/installation.ts';

interface Item {
  readonly id: string;
  readonly title: string;
}

describe('public API: events, on a running installation', () => {
  const at = useInstallation();
  let source: Source;
  let key: string;
  before(async () => {
    source = await at.addSource();
    const event = (title: string, starts_at: string) => upsertBody({ title, starts_at });
    await at.sendTo(source, event('Late', '2031-01-01T10:00:00Z'));
    await at.sendTo(source, event('Morning', '2030-05-01T08:00:00Z'));
    await at.sendTo(source, event('Evening', '2030-05-01T20:00:00+02:00'));
    await at.sendTo(source, event('Gone', '2030-05-01T12:00:00Z'));
    const named = { title: 'Evening', starts_at: '2030-05-01T18:00:00Z' };
    await at.sendTo(source, { action: 'cancel', event: named });
    await at.sendTo(source, {
      action: 'delete',
      event: { title: 'Gone', starts_at: '2030-05-01T12:00:00Z' },
    });
    await at.logged(source, 6);
    key = await keyOf(at.owner);
  });

  async function keyOf(person: typeof at.owner): Promise<string> {
    const wanted = { name: 'n8n', scopes: ['webhooks'], expires_at: null };
    return (await person.call('post', '/keys', wanted)).body.key;
  }

  const read = (path: string, as = key) =>
    supertest(at.api.app).get(`/api/public/events${path}`).set('authorization', `Bearer ${as}`);

  async function list(query: string): Promise<Item[]> {
    const answer = await read(`?source=${source.id}&${query}`);
    const { status, body, headers } = answer;
    expect(status, answer.text).to.equal(200);
    expectDocumented('listEvents', { status, body, contentType: headers['content-type'] });
    return body.data;
  }
  const titles = async (query: string) => (await list(query)).map(({ title }) => title);

  it('lists those that exist by start, filtered by source, status and time', async () => {
    expect(await titles('')).to.deep.equal(['Morning', 'Evening', 'Late']);
    expect(await titles('sort=-starts_at')).to.deep.equal(['Late', 'Evening', 'Morning']);
    expect(await titles('status=cancelled')).to.deep.equal(['Evening']);
    const day = 'starts_from=2030-05-01T08:00:00Z&starts_until=2030-05-01T18:00:00Z';
    expect(await titles(day)).to.deep.equal(['Morning']);
    const other = await at.addSource();
    expect((await read(`?source=${other.id}`)).body.data).to.deep.equal([]);
    const unknown = await read('?source=src_none');
    expectProblem(unknown, 'validation_failed');
    expect(unknown.body.errors[0].pointer).to.equal('/source');
  });

  it('continues a list behind the last event of a page', async () => {
    const seen: string[] = [];
    for (let next = ''; next !== 'null'; ) {
      const { body } = await read(`?source=${source.id}&limit=1${next && `&cursor=${next}`}`);
      seen.push(...body.data.map(({ title }: Item) => title));
      next = String(body.next_cursor);
    }
    expect(seen).to.deep.equal(['Morning', 'Evening', 'Late']);
  });

  it('reads one in the form of the list, and not again while it has not changed', async () => {
    for (const listed of await list('')) {
      const { body, headers } = await read(`/${listed.id}`);
      expect(body).to.deep.equal(listed);
      expect((await read(`/${listed.id}`).set('if-none-match', headers.etag as string)).status).to.equal(304);
    }
  });

  it('reads a deleted one by its id', async () => {
    const deleted = (await at.owner.read(`/events?source_id=${source.id}&include_deleted=true&q=gone`))
      .items[0];
    const { status, body, headers } = await read(`/${deleted.event_id}`);
    expectDocumented('getEvent', { status, body, contentType: headers['content-type'] });
    expect(body).to.deep.include({ title: 'Gone', status: null, deleted_at: deleted.deleted_at });
  });

  it('shows no event of another account', async () => {
    const [{ id } = { id: '' }] = await list('');
    const stranger = await keyOf(at.stranger);
    expect((await read('', stranger)).body.data).to.deep.equal([]);
    expectProblem(await read(`/${id}`, stranger), 'not_found');
    expectProblem(await read(`?source=${source.id}`, stranger), 'validation_failed');
  });
});
