import { expect } from 'chai';
import { type Person, personOf } from '../support/api.ts';
import { postUntilTaken } from '../support/post.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { sized } from '../support/size.ts';
import { type Source, useInstallation } from './support/installation.ts';

const TRIES = sized({ short: 20, middle: 100, long: 1000 });
const AT_A_TIME = 20;

/** keys.test.ts and sign-in.test.ts prove the same of keys and sessions. */
describe('api: guarantee 4 in the dashboard: revoked means revoked', () => {
  const at = useInstallation();
  /** The owner at one of two API servers. */
  const on = (replica: number): Person =>
    personOf(at.api.replicas[replica]?.app as never, at.owner.me, at.owner.cookie);

  /** The statuses of requests that all start from now on. */
  async function statuses(source: Source): Promise<number[]> {
    const seen: number[] = [];
    while (seen.length < TRIES) {
      const requests = Array.from({ length: AT_A_TIME }, () =>
        postUntilTaken(source.url, signed({ secret: source.secret, body: upsertBody() })),
      );
      for (const { status } of await Promise.all(requests)) seen.push(status);
    }
    return [...new Set(seen)];
  }

  it('rejects every request with the old secret after a rotation, and accepts every one with the new secret', async () => {
    const source = await at.addSource();
    const path = `/sources/${source.id}/secret`;
    const { body: prepared } = await on(0).call('post', `${path}/prepare-rotation`);
    const next = { ...source, secret: prepared.signing_secret as string };
    expect([await statuses(source), await statuses(next)]).to.deep.equal([[200], [401]]);
    const body = { rotation_token: prepared.rotation_token };
    expect((await on(1).call('post', `${path}/confirm-rotation`, body)).status).to.equal(200);
    expect([await statuses(source), await statuses(next)]).to.deep.equal([[401], [200]]);
  });

  it('rejects every request to an inactive source, and accepts every one once it is active again', async () => {
    const source = await at.addSource();
    expect(await statuses(source)).to.deep.equal([200]);
    for (const [replica, active, status] of [
      [0, false, 403],
      [1, true, 200],
    ] as const) {
      const changed = await on(replica).call('put', `/sources/${source.id}/active`, { active });
      expect(changed.body.active).to.equal(active);
      expect(await statuses(source)).to.deep.equal([status]);
    }
  });
});
