import { rotateKey } from '@sluice/accounts/keys/rotate-key';
import { hashApiKey } from '@sluice/credentials/api-key';
import { createSubscriptionDirectory } from '@sluice/outbound/queue/subscription-directory';
import { handOver } from '@sluice/outbound/subscriptions/hand-over';
import { createShards } from '@sluice/redis/shards/shards';
import type { ApiKey } from '@sluice/store/accounts/api-keys';
import { expect } from 'chai';
import { expectProblem } from '../../support/expect-problem.ts';
import { URL_1, useWebhooks } from '../support/use-webhooks.ts';

const BY_URL = `?url=${encodeURIComponent(URL_1)}`;

describe('api: webhook subscriptions during the rotation of a key', () => {
  const { api, keyOf, call, subscribe } = useWebhooks();

  /** Rotates a key, as the command line does. Returns the new one. */
  async function rotate(key: string): Promise<string> {
    const { store, redis, namespace, deps } = api();
    const stored = await store.apiKeys.findApiKeyByHash(hashApiKey(key));
    const keyId = stored?.key_id ?? '';
    const subscriptionDirectory = createSubscriptionDirectory({ redis, shards: createShards(namespace, 1) });
    const publishing = { ...store, subscriptionDirectory, now: Date.now, sleep: async () => undefined };
    const onCreated = async (_key: unknown, next: ApiKey) => void (await handOver(publishing, keyId, next));
    const rotated = await rotateKey(deps, { keyId, overlapMs: 3_600_000, onCreated });
    if (rotated.status !== 'rotated') throw new Error(rotated.status);
    return rotated.key;
  }

  it('the old key creates, lists, reads, changes and deletes what the new key has', async () => {
    const old = await keyOf(['webhooks']);
    const { id, secret } = (await subscribe({}, old)).body;
    const next = await rotate(old);
    for (const as of [old, next, old]) {
      expect((await subscribe({}, as)).body).to.include({ id, secret });
      expect((await call('get', '', { as })).body.data).to.have.length(1);
      expect((await call('get', BY_URL, { as })).body.data).to.have.length(1);
      expect((await call('get', `/${id}`, { as })).body).to.include({ id, status: 'active' });
      expect((await call('patch', `/${id}`, { as, body: { name: as.slice(-8) } })).status).to.equal(200);
    }
    const rotated = await call('post', `/${id}/rotate-secret`, { as: old, body: { overlap: '1h' } });
    expect(rotated.body.secret).to.match(/^whsec_/);
    expect((await call('delete', BY_URL, { as: old })).status).to.equal(204);
    expectProblem(await call('get', `/${id}`, { as: next }), 'not_found');
    expect((await subscribe({}, old)).body).to.include({ id });
    expect((await call('delete', `/${id}`, { as: old })).status).to.equal(204);
    expect((await call('get', '', { as: next })).body.data).to.deep.equal([]);
  });

  it('the new key does not reach what another key of the account has', async () => {
    const other = await keyOf(['webhooks']);
    const { id } = (await subscribe({}, other)).body;
    const old = await keyOf(['webhooks']);
    const next = await rotate(old);
    for (const as of [old, next]) {
      expectProblem(await call('get', `/${id}`, { as }), 'not_found');
      expect((await call('delete', BY_URL, { as })).status).to.equal(204);
      expect((await call('get', '', { as })).body.data).to.deep.equal([]);
    }
    expect((await call('get', `/${id}`, { as: other })).status).to.equal(200);
  });

  it('the old key reads its stored answer again, which has no secret', async () => {
    const old = await keyOf(['webhooks']);
    const { id } = (await subscribe({}, old)).body;
    await rotate(old);
    const body = { target_url: URL_1, events: ['lead.created'] };
    const headers = { 'idempotency-key': 'once' };
    const answers = [
      await call('post', '', { as: old, body, headers }),
      await call('post', '', { as: old, body, headers }),
    ];
    expect(answers.map(({ status, body }) => [status, body.id])).to.deep.equal([
      [200, id],
      [200, id],
    ]);
    expect(answers[1]?.body).not.to.have.property('secret');
  });
});
