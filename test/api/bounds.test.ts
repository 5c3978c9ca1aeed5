import type { AuditPage } from '@sluice/dashboard-api/audit';
import { REPROCESS_LIMIT } from '@sluice/dashboard-api/limits';
import { expect } from 'chai';
import type { Person } from '../support/api.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { useApi } from '../support/use-api.ts';

describe('api: limits of lists, counts and bulk operations', () => {
  const api = useApi();
  let sourceId: string;
  before(async () => {
    sourceId = (await api.owner.call('post', '/sources', { name: 'Booking' })).body.source.source_id;
  });

  /** Runs with some methods of the store replaced, to simulate a log that is too large for a test. */
  async function simulating<T extends object>(part: T, answers: Partial<T>, work: () => Promise<void>) {
    const real = { ...part };
    Object.assign(part, answers);
    try {
      await work();
    } finally {
      Object.assign(part, real);
    }
  }

  it('makes at most 200 keys', async () => {
    const create = () => api.owner.call('post', '/keys', { name: 'One', scopes: ['webhooks'] });
    await create();
    const keys = api.mongo.db.collection<{ _id: string; hash: string }>('api_keys');
    const made = (await keys.findOne({})) ?? expect.fail('no key');
    const copies = Array.from({ length: 198 }, (_, n) => ({ ...made, _id: `key_${n}`, hash: `hash ${n}` }));
    await keys.insertMany(copies);
    expect((await create()).status).to.equal(201);
    expectProblem(await create(), 'conflict');
  });

  it('makes at most 200 sources and channels, and 100 open invitations', async () => {
    const { sources, links } = api.store;
    const stored = { expires_at: Number.MAX_SAFE_INTEGER, revoked_at: null };
    for (const [limit, path, body, part, method] of [
      [200, '/sources', { name: 'One' }, sources, 'listSources'],
      [200, '/channels', { name: 'One' }, sources, 'listSources'],
      [100, '/members/invites', { role: 'viewer' }, links, 'listInvites'],
    ] as const) {
      const create = async (before: number) => {
        let answer = {} as Awaited<ReturnType<Person['call']>>;
        await simulating<object>(part, { [method]: async () => Array(before).fill(stored) }, async () => {
          answer = await api.owner.call('post', path, body);
        });
        return answer;
      };
      expect((await create(limit - 1)).status, path).to.equal(201);
      const rejected = await create(limit);
      expectProblem(rejected, 'conflict');
      expect(rejected.body.detail).to.include(`may have ${limit}`);
    }
  });

  it('rejects a cursor with an impossible place', async () => {
    const lists: [path: string, ...places: unknown[][]][] = [
      ['/audit?', [9e15, 'aud_1'], [1.5, 'aud_1'], [0, 1], [0], [0, 'aud_1', 1]],
      [`/deliveries?source_id=${sourceId}&`, [9e15, 1, 'dlv_1'], [0, 'x', 'dlv_1'], [0, 1, 2], [0, 1]],
      ['/events?', [-9e15, 'evt_1'], ['0', 'evt_1'], [0, null], [0]],
    ];
    for (const [path, ...places] of lists)
      for (const place of [...places, null, {}]) {
        const cursor = Buffer.from(JSON.stringify(place)).toString('base64url');
        expectProblem(await api.owner.call('get', `${path}cursor=${cursor}`), 'bad_request');
      }
  });

  it('a page of the audit log has 50 entries by default', async () => {
    for (let n = 0; n < 51; n++) await api.owner.call('put', `/sources/${sourceId}/active`, { active: true });
    const { items, next_cursor }: AuditPage = await api.owner.read('/audit');
    expect(items).to.have.length(50);
    const rest: AuditPage = await api.owner.read(`/audit?cursor=${next_cursor}`);
    expect(rest.items.map(({ action }) => action).slice(-2)).to.deep.equal([
      'source.created',
      'member.joined',
    ]);
  });

  it('counts the rows of a log up to ten thousand', async () => {
    const { deliverySearch } = api.store;
    const size = async (rows: number) => {
      let read: unknown;
      const countRows = async (_filter: object, limit: number) => Math.min(rows, limit);
      await simulating(deliverySearch, { countRows }, async () => {
        read = await api.owner.read(`/deliveries/size?source_id=${sourceId}`);
      });
      return read;
    };
    expect(await size(10_000)).to.deep.equal({ rows: 10_000, more: false });
    expect(await size(50_000)).to.deep.equal({ rows: 10_000, more: true });
  });

  it('reprocesses none if more than a thousand deliveries match', async () => {
    const { deliverySearch } = api.store;
    const reprocess = async (matching: number) => {
      const counted = { countDeliveries: async () => matching, oldestDeliveries: async () => [] };
      let answer = {} as Awaited<ReturnType<Person['call']>>;
      await simulating(deliverySearch, counted, async () => {
        const filter = { source_id: sourceId };
        answer = await api.owner.call('post', '/deliveries/reprocess', { filter, expected: matching });
      });
      return answer;
    };
    expect((await reprocess(REPROCESS_LIMIT)).status).to.equal(202);
    expectProblem(await reprocess(REPROCESS_LIMIT + 1), 'conflict');
  });
});
