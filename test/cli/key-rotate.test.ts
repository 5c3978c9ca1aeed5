import { createHash } from 'node:crypto';
import { HOUR_MS } from '@sluice/contract/time/durations';
import { pauseForKey } from '@sluice/outbound/subscriptions/pause-for-key';
import { expect } from 'chai';
import { startMongoProxy } from '../support/mongo-proxy.ts';
import { startSluice } from './running.ts';
import { expectFailure, useInstallation } from './support.ts';
import { useSubscriptions } from './use-subscriptions.ts';

describe('sluice key rotate', () => {
  const used = useInstallation();
  const at = useSubscriptions(used);
  const create = async (options = '') => {
    const [made] = await used.json(`key create --name CRM --scopes read:leads,webhooks${options}`);
    return String(made?.key_id);
  };
  const stored = (keyId: string) => used.store.apiKeys.findApiKey(keyId);

  it('prints a new key with the same name, scopes and expiry, which the API finds', async () => {
    const id = await create(' --expires-at 2099-01-01T00:00:00Z');
    const [rotated] = await used.json(`key rotate ${id}`);
    expect(rotated).to.include({ replaces: id, expires_at: '2099-01-01T00:00:00.000Z' });
    const hash = createHash('sha256').update(String(rotated?.key)).digest('hex');
    expect(await used.store.apiKeys.findApiKeyByHash(hash)).to.deep.include({
      ...{ key_id: rotated?.key_id, name: 'CRM', scopes: ['read:leads', 'webhooks'], revoked_at: null },
    });
    expect(rotated?.key_id).to.not.equal(id);
  });

  it('lets the old key work until the overlap ends, and says when', async () => {
    const id = await create();
    const done = await used.run(`key rotate ${id} --overlap 1h --json`);
    const old = await stored(id);
    expect(old?.revoked_at).to.equal(null);
    expect(old?.expires_at).to.be.closeTo(Date.now() + HOUR_MS, 60_000);
    expect(done.stderr).to.contain(`The old key ${id} works until `);
  });

  it('does not prolong an old key that ends before the overlap', async () => {
    const soon = new Date(Date.now() + HOUR_MS / 2).toISOString();
    const id = await create(` --expires-at ${soon}`);
    await used.json(`key rotate ${id} --overlap 24h`);
    expect((await stored(id))?.expires_at).to.equal(Date.parse(soon));
  });

  it('revokes the old key at once with --overlap none, which is 0', async () => {
    const id = await create();
    const done = await used.run(`key rotate ${id} --overlap none --json`);
    expect((await stored(id))?.revoked_at).to.be.a('number');
    expect(done.stderr).to.contain(`The old key ${id} stopped working.`);
  });

  it('hands the webhook subscriptions over, so that the end of the old key pauses none', async () => {
    const id = await create();
    const { account_id: accountId, subscription_id: subscriptionId, secrets } = await at.subscribe(id);
    const away = await used.run(`key rotate ${id}`, { env: { REDIS_URL: 'redis://127.0.0.1:1' } });
    expect(away).to.include({ code: 75, stdout: '' });
    expect((await stored(id))?.expires_at).to.equal(null);

    const [rotated] = await used.json(`key rotate ${id} --overlap 1h`);
    await pauseForKey(at.deps, id, 'key_expired');
    const subscription = await used.store.subscriptions.findSubscription(accountId, subscriptionId);
    expect(subscription).to.deep.include({ key_id: rotated?.key_id, secrets });
    expect(subscription?.paused).to.equal(undefined);
    expect(await at.publishedOf(subscriptionId)).to.include({ paused: null });
  });

  /** Subscribes with a key. Returns what reads which key has the subscription. */
  const storeOf = async (keyId: string) => {
    const { account_id, subscription_id } = await at.subscribe(keyId);
    return async () => (await used.store.subscriptions.findSubscription(account_id, subscription_id))?.key_id;
  };

  it('hands over what the old key subscribes between the first hand-over and its end', async () => {
    const id = await create();
    const proxy = await startMongoProxy(used.env.MONGO_URL as string);
    try {
      const held = proxy.holdAt(/update\0.{4}api_keys\0/s);
      const rotating = used.json(`key rotate ${id}`, { env: { MONGO_URL: proxy.url } });
      await held;
      const ownerOf = await storeOf(id);
      proxy.letGo();
      const [rotated] = await rotating;
      expect(await ownerOf()).to.equal(rotated?.key_id);
    } finally {
      await proxy.close();
    }
  });

  it('hands over and resumes what an interrupted rotation without an overlap has left, when it is repeated', async () => {
    const id = await create();
    const proxy = await startMongoProxy(used.env.MONGO_URL as string);
    const run = startSluice(['key', 'rotate', id, '--overlap', '0', '--json'], {
      ...{ ...used.env, MONGO_URL: proxy.url },
    });
    try {
      await proxy.holdAt(/update\0.{4}api_keys\0/s);
      const ownerOf = await storeOf(id);
      await run.end('SIGKILL');
      // Its last write arrives, and an API server finds that the key is revoked.
      const replacedBy = String(run.rows()[0]?.key_id);
      await used.store.apiKeys.endApiKey(id, { at: Date.now(), revoke: true, replacedBy });
      await pauseForKey(at.deps, id, 'key_revoked');
      const again = await used.run(`key rotate ${id} --overlap 0 --json`);
      expectFailure(again, 1, 'Webhook subscriptions that belong to the new key now: 1.');
      expect(again.stderr).to.contain(`was replaced by ${replacedBy} already`);
      expect(await ownerOf()).to.equal(replacedBy);
      const [left] = await used.store.subscriptions.listOfKey(replacedBy);
      expect(left).not.to.have.any.keys('paused', 'expires_at');
    } finally {
      await proxy.close();
    }
  });

  it('completes a rotation that was killed with two live keys, when it is repeated, and makes no third', async () => {
    const id = await create();
    const proxy = await startMongoProxy(used.env.MONGO_URL as string);
    const run = startSluice(['key', 'rotate', id, '--json'], { ...used.env, MONGO_URL: proxy.url });
    try {
      await proxy.holdAt(/update\0.{4}api_keys\0/s);
      await run.end('SIGKILL');
    } finally {
      proxy.shut();
      await proxy.close();
    }
    const next = String(run.rows()[0]?.key_id);
    expect(await stored(id)).to.include({ expires_at: null, revoked_at: null });
    expect(await stored(next)).to.include({ expires_at: null, revoked_at: null, replaces: id });
    const ownerOf = await storeOf(id);
    const count = (await used.json('key list')).length;
    const again = await used.run(`key rotate ${id} --overlap 1h --json`);
    expect(again).to.include({ code: 1, stdout: '' });
    expect(again.stderr)
      .to.contain(`The old key ${id} works until `)
      .and.contain(`It is complete now: ${next} (`)
      .and.contain(`sluice key rotate ${next}`);
    expect(await stored(id)).to.include({ replaced_by: next });
    expect(await ownerOf()).to.equal(next);
    expect(await used.json('key list')).to.have.length(count);
    expect((await used.run(`key rotate ${id}`)).stderr).to.contain(`was replaced by ${next} already`);
  });

  it('warns that nobody may have the new key if a repeat without an overlap ends the old one', async () => {
    const help = await used.run('key rotate --help');
    expect(help.stdout).to.contain(
      'repeat the command with --overlap 24h, and rotate the new key that it names',
    );
    const id = await create();
    const [rotated] = await used.json(`key rotate ${id}`);
    const { db } = used.mongo;
    const unfinished = { $set: { expires_at: null }, $unset: { replaced_by: '' } } as const;
    await db.collection<{ _id: string }>('api_keys').updateOne({ _id: id }, unfinished);
    const again = await used.run(`key rotate ${id} --overlap 0 --json`);
    expect(again).to.include({ code: 1, stdout: '' });
    expect(again.stderr)
      .to.contain('A client without it is rejected from now on.')
      .and.contain(`rotate it now: sluice key rotate ${rotated?.key_id}`);
    const [next] = await used.json(`key rotate ${rotated?.key_id} --overlap 0`);
    expect(next).to.include({ replaces: rotated?.key_id });
  });

  it('makes a new key if the one of a killed rotation was revoked meanwhile', async () => {
    const id = await create();
    const [rotated] = await used.json(`key rotate ${id}`);
    const { db } = used.mongo;
    const unfinished = { $set: { expires_at: null }, $unset: { replaced_by: '' } } as const;
    await db.collection<{ _id: string }>('api_keys').updateOne({ _id: id }, unfinished);
    await used.json(`key revoke ${rotated?.key_id}`);
    const [next] = await used.json(`key rotate ${id}`);
    expect(next).to.include({ replaces: id });
    expect(next?.key_id).to.not.equal(rotated?.key_id);
  });

  it('rejects a key that was replaced already, and names the one to rotate', async () => {
    const id = await create();
    const [rotated] = await used.json(`key rotate ${id}`);
    const again = await used.run(`key rotate ${id}`);
    expectFailure(again, 1, `sluice key rotate ${rotated?.key_id}`);
    const [next] = await used.json(`key rotate ${rotated?.key_id}`);
    expect((await stored(id))?.replaced_by).to.equal(next?.key_id);
  });

  it('refuses a revoked and an unknown key, and makes no new one', async () => {
    const id = await create();
    await used.json(`key revoke ${id}`);
    const count = (await used.json('key list')).length;
    for (const [keyId, about] of [
      [id, 'was revoked or has expired'],
      ['key_none', 'There is no key key_none'],
    ] as const) {
      const done = await used.run(`key rotate ${keyId}`);
      expectFailure(done, 1, about);
    }
    expect(await used.json('key list')).to.have.length(count);
  });
});
