import { createKeyspace } from '@sluice/redis/keyspace';
import { type StoredChange, toStoredChange } from '@sluice/store/pending/stored-change';
import { expect } from 'chai';
import supertest from 'supertest';
import { startApi } from '../../support/api.ts';
import { addKey } from '../../support/api-processes.ts';
import { expectProblem } from '../../support/expect-problem.ts';
import { useTestMongo } from '../../support/mongo-server.ts';
import { useRedis } from '../../support/redis-server.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/use.ts';

const LEADS = '/api/public/leads';

describe('api: while messages cannot be published', function () {
  this.timeout(60_000);
  const server = useRedis();
  const mongo = useTestMongo('full');
  const api = use(() => startApi({ on: { redisUrl: server.url, mongoUrl: mongo.url, namespace: 'full' } }));
  let key: string;
  before(async () => {
    key = await addKey(api, await api.addAccount(), ['read:leads', 'write:leads']);
  });
  const create = (body: object) =>
    supertest(api.app).post(LEADS).set('authorization', `Bearer ${key}`).send(body);
  const patch = (id: string, body: object) =>
    supertest(api.app).patch(`${LEADS}/${id}`).set('authorization', `Bearer ${key}`).send(body);

  it('accepts no change in a full Redis: 503 with Retry-After', async () => {
    const { id } = (await create({ name: 'Ada' })).body as { id: string };
    await api.redis.config('SET', 'maxmemory', 1);
    const full = await patch(id, { company: 'Engines' });
    await api.redis.config('SET', 'maxmemory', 0);
    expectProblem(full, 'unavailable');
    expect(full.headers['retry-after']).to.equal('10');
    expect((await patch(id, { company: 'Engines' })).body).to.include({ company: 'Engines' });
  });

  it('stops webhook subscriptions in a full Redis: pauses and deletes them, discards, and revokes their key', async () => {
    const accountId = await api.addAccount();
    const owner = await api.addPerson(accountId, 'owner');
    const { body: made } = await owner.call('post', '/keys', { name: 'n8n', scopes: ['webhooks'] });
    const call = (method: 'post' | 'patch' | 'delete', path: string) =>
      supertest(api.app)[method](`/api/public/webhooks${path}`).set('authorization', `Bearer ${made.key}`);
    const subscribe = async (n: number): Promise<string> => {
      const wanted = { target_url: `https://1.1.1.1/${n}`, events: ['lead.created'] };
      return (await call('post', '').send(wanted)).body.id;
    };
    const [paused, deleted, byAdmin, revoked] = await Promise.all([1, 2, 3, 4].map(subscribe));
    const { mailbox } = createKeyspace('full');
    const published = async (id = '') =>
      JSON.parse((await api.redis.hget(mailbox(id), 'record')) ?? '{}').paused;
    await api.redis.config('SET', 'maxmemory', 1);
    try {
      expect((await call('patch', `/${paused}`).send({ active: false })).body).to.include({
        status: 'paused',
      });
      expect((await call('delete', `/${deleted}`)).status).to.equal(204);
      expect((await owner.call('post', `/webhooks/${byAdmin}/pause`)).status).to.equal(200);
      expect((await owner.call('post', `/webhooks/${byAdmin}/discard`)).status).to.equal(200);
      expect((await owner.call('post', `/keys/${made.item.key_id}/revoke`)).status).to.equal(200);
    } finally {
      await api.redis.config('SET', 'maxmemory', 0);
    }
    expect(await Promise.all([paused, byAdmin, revoked].map(published))).to.deep.equal(
      Array(3).fill('key_revoked'),
    );
    expect(await published(deleted)).to.equal(undefined);
  });

  it('accepts no further change of a lead with 4 MiB of changes that are not published', async () => {
    const { id } = (await create({ name: 'Grace' })).body as { id: string };
    const leads = mongo.db.collection<{ _id: string }>('leads');
    const untold = Array.from(
      { length: 5 },
      (_, n): StoredChange =>
        toStoredChange({
          ...{ sequence: n + 1, kind: 'lead.updated', at: Date.now() },
          ...{ actor: { type: 'system', id: 'test' }, data: { id, note: 'x'.repeat(2 ** 20) } },
        }),
    );
    await until(async () => (await leads.countDocuments({ _id: id, untold: { $exists: false } })) === 1);
    await leads.updateOne({ _id: id }, { $set: { untold } });
    const refused = await patch(id, { company: 'Engines' });
    expectProblem(refused, 'unavailable');
    expect(refused.body.detail).to.match(/last changes of this lead/);
    await leads.updateOne({ _id: id }, { $unset: { untold: 1 } });
    expect((await patch(id, { company: 'Engines' })).status).to.equal(200);
  });
});
