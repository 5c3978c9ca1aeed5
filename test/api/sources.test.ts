import { rotateSecret } from '@sluice/accounts/secrets/rotate-secret';
import { createSourceDirectory } from '@sluice/admission/source-directory';
import { open } from '@sluice/credentials/seal';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { type Person, startApi } from '../support/api.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { useApi } from '../support/use-api.ts';

describe('api: sources', () => {
  const api = useApi();
  let admin: Person;
  let viewer: Person;
  before(async () => {
    [admin, viewer] = [
      await api.addPerson(api.accountId, 'admin'),
      await api.addPerson(api.accountId, 'viewer'),
    ];
  });

  const create = async (name = 'Booking') => {
    const answer = await admin.call('post', '/sources', { name });
    expect(answer.status, answer.text).to.equal(201);
    return { id: answer.body.source.source_id as string, secret: answer.body.signing_secret as string };
  };
  /** The secret that ingresses use from now on. */
  const publishedSecret = async (sourceId: string) => {
    const directory = createSourceDirectory({ redis: api.redis, keyspace: createKeyspace(api.namespace) });
    const entry = await directory.read(sourceId);
    if (entry.state !== 'published') throw new Error(entry.state);
    const opened = open(api.deps.keyring, sourceId, entry.record.sealed_secret);
    return opened.status === 'opened' ? opened.secret : opened.status;
  };

  it('is created with endpoint and secret, and listed without the secret', async () => {
    const { id, secret } = await create();
    expect(secret).to.match(/^whsec_[0-9A-Za-z]{43}$/);
    const { body, text } = await viewer.call('get', '/sources');
    const item = body.items.find(({ source_id }: { source_id: string }) => source_id === id);
    expect(item).to.deep.include({
      name: 'Booking',
      endpoint_url: `http://localhost:8080/api/v1/events/webhook/${id}`,
      active: true,
      body_storage: 'all',
      rate_per_second: 100,
      rate_burst: 1000,
      accepted_24h: 0,
      last_delivery_at: null,
    });
    expect(item.activity).to.have.length(24);
    expect(text).not.to.contain('whsec_').and.not.to.contain('v1.');
  });

  it('shows its secret to an admin, and audits it', async () => {
    const { id, secret } = await create('Revealed');
    const shown = await admin.call('post', `/sources/${id}/secret/reveal`);
    expect(shown.body).to.deep.equal({ signing_secret: secret });
    expect(shown.headers['cache-control']).to.equal('no-store');
    const log = await admin.call('get', '/audit?action=secret.revealed');
    expect(log.body.items[0]).to.deep.include({
      target: { id, name: 'Revealed' },
      actor: { user_id: admin.me.user.user_id, email: admin.me.user.email },
    });
  });

  it('is rotated in two stages: preparing changes nothing, confirming replaces the secret', async () => {
    const { id, secret } = await create();
    const prepared = await admin.call('post', `/sources/${id}/secret/prepare-rotation`);
    expect(prepared.body.signing_secret)
      .to.match(/^whsec_/)
      .and.not.to.equal(secret);
    expect(await publishedSecret(id)).to.equal(secret);
    const { rotation_token } = prepared.body;
    const confirmed = await admin.call('post', `/sources/${id}/secret/confirm-rotation`, { rotation_token });
    expect(confirmed.body.secret_rotated_at).to.be.a('string');
    expect(confirmed.text).not.to.contain('whsec_');
    expect(await publishedSecret(id)).to.equal(prepared.body.signing_secret);
    const check = await viewer.call('get', `/sources/${id}/secret/rotation`);
    expect(check.body).to.deep.equal({
      rotated_at: confirmed.body.secret_rotated_at,
      overlap_until: null,
      first_accepted_at: null,
      old_accepted_at: null,
      old_refused: { count: 0, last_at: null },
      neither_refused: { count: 0, last_at: null },
    });
  });

  it('rejects a rotation token that is used, outdated, for another source, or forged', async () => {
    const [one, two] = [await create(), await create()];
    const prepare = async (id: string) =>
      (await admin.call('post', `/sources/${id}/secret/prepare-rotation`)).body;
    const confirm = (id: string, rotation_token: string) =>
      admin.call('post', `/sources/${id}/secret/confirm-rotation`, { rotation_token });
    const [first, second] = [await prepare(one.id), await prepare(one.id)];
    expectProblem(await confirm(two.id, first.rotation_token), 'rotation_stale');
    expectProblem(await confirm(one.id, 'made up'), 'rotation_stale');
    expect((await confirm(one.id, first.rotation_token)).status).to.equal(200);
    expectProblem(await confirm(one.id, first.rotation_token), 'rotation_stale');
    expectProblem(await confirm(one.id, second.rotation_token), 'rotation_stale');
    const third = await prepare(two.id);
    await rotateSecret(api.deps, two.id);
    expectProblem(await confirm(two.id, third.rotation_token), 'rotation_stale');
  });

  it('is rotated once by concurrent confirmations, and the others get an error', async () => {
    const { id } = await create();
    const tokens = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const { body } = await admin.call('post', `/sources/${id}/secret/prepare-rotation`);
        return body as { rotation_token: string; signing_secret: string };
      }),
    );
    const answers = await Promise.all(
      tokens.map(({ rotation_token }) =>
        admin.call('post', `/sources/${id}/secret/confirm-rotation`, { rotation_token }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409, 409]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(await publishedSecret(id)).to.equal(tokens[winner]?.signing_secret);
    const again = await admin.call('post', `/sources/${id}/secret/confirm-rotation`, {
      rotation_token: tokens[winner]?.rotation_token,
    });
    expectProblem(again, 'rotation_stale');
    expect(again.body.detail).to.include('The secret you were shown is in use');
  });

  it('can be rotated up to an hour after the first stage', async () => {
    const now = { offset: 0 };
    const later = await startApi({ now: () => Date.now() + now.offset });
    try {
      const owner = await later.addPerson(await later.addAccount(), 'owner');
      const { source } = (await owner.call('post', '/sources', { name: 'Booking' })).body;
      const stage = (name: string, body?: object) =>
        owner.call('post', `/sources/${source.source_id}/secret/${name}-rotation`, body);
      const [slow, fast] = [(await stage('prepare')).body, (await stage('prepare')).body];
      now.offset = 60 * 60_000;
      const { rotation_token } = slow;
      expectProblem(await stage('confirm', { rotation_token }), 'rotation_stale');
      expect((await owner.read(`/sources/${source.source_id}`)).secret_rotated_at).to.equal(null);
      now.offset = 59 * 60_000;
      expect((await stage('confirm', { rotation_token: fast.rotation_token })).status).to.equal(200);
    } finally {
      await later.close();
    }
  });

  it('a repeated confirmation makes a rotation with an unknown result certain', async () => {
    const { id } = await create();
    const { body } = await admin.call('post', `/sources/${id}/secret/prepare-rotation`);
    const { rotation_token, signing_secret } = body;
    const publish = () => Promise.reject(new Error('Redis is away'));
    const deps = { ...api.deps, directory: { ...api.deps.directory, publish } };
    const unannounced = rotateSecret(deps, id, { signingSecret: signing_secret, lastRotated: null });
    expect(await unannounced.catch((error: Error) => error.name)).to.equal('UnconfirmedChangeError');
    const again = await admin.call('post', `/sources/${id}/secret/confirm-rotation`, { rotation_token });
    expectProblem(again, 'rotation_stale');
    expect(again.body.detail).to.include('The secret you were shown is in use');
    // Written again: MongoDB could lose an unconfirmed write with its primary.
    expect((await api.store.sources.findSource(id))?.version).to.equal(3);
  });

  it('accepts settings individually', async () => {
    const { id } = await create();
    const patch = (settings: object) => admin.call('patch', `/sources/${id}`, settings);
    const failures = { body_storage: 'failures' };
    expect((await patch(failures)).body).to.include({ ...failures, name: 'Booking' });
    expect((await patch({ name: ' New name ' })).body).to.include({ ...failures, name: 'New name' });
    expect((await patch({ rate_per_second: 5, rate_burst: 10 })).body).to.include({
      rate_per_second: 5,
      rate_burst: 10,
    });
    expect((await patch({ rate_per_second: null })).body).to.include({
      rate_per_second: 100,
      rate_burst: 10,
    });
    const record = JSON.parse(
      (await api.redis.hget(createKeyspace(api.namespace).source(id), 'record')) as string,
    );
    expect(record).to.include({ ...failures, rate_per_second: null, rate_burst: 10 });
    expectProblem(await patch({ body_storage: 'some' }), 'validation_failed');
    const { body } = await admin.call('get', '/audit');
    const details = body.items.map(({ detail }: { detail: string | null }) => detail);
    expect(details, 'in the words of the page').to.include.members([
      'Keep request bodies: Failures only (rejected or failed)',
      'Name: New name',
      'Requests a second: 5, Burst: 10',
      'Requests a second: the default',
    ]);
    expectProblem(await patch({}), 'validation_failed');
    expectProblem(await patch({ rate_per_second: 0 }), 'validation_failed');
  });

  it('a test request gets an error if the ingress is not responding', async () => {
    const { id } = await create();
    expectProblem(
      await admin.call('post', `/sources/${id}/test`, { body: '{}', break: 'none' }),
      'unavailable',
    );
  });
});
