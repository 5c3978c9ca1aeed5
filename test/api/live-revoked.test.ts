import type { Delivery } from '@sluice/contract/delivery';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { publishDeliveries } from '@sluice/monitoring/live-deliveries';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import supertest from 'supertest';
import {
  cookieOf,
  newAddress,
  PASSWORD,
  type Person,
  personOf,
  SECRET_KEY,
  startApi,
  type TestApi,
} from '../support/api.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { sharedRedisUrl } from '../support/shared-redis.ts';
import { until } from '../support/until.ts';
import { openLive } from './support/live-streams.ts';

/** Much less than the heartbeat interval of 15 s, and enough for a busy machine. */
const AT_ONCE_MS = 8000;

describe('api: a live stream in another API process', () => {
  let api: TestApi;
  let service: ServiceProcess;
  let base: string;
  let accountId: string;
  let owner: Person;
  let viewer: Person;
  let sourceId: string;

  before(async () => {
    api = await startApi();
    accountId = await api.addAccount();
    owner = await api.addPerson(accountId, 'owner');
    sourceId = (await owner.call('post', '/sources', { name: 'Booking' })).body.source.source_id;
    service = startService('api', {
      REDIS_URL: sharedRedisUrl(),
      MONGO_URL: api.mongo.url,
      SLUICE_NAMESPACE: api.namespace,
      SLUICE_SECRET_KEY: SECRET_KEY.toString('base64'),
    });
    await service.ready();
    base = (await service.logged('api.listening')).url as string;
  });
  beforeEach(async () => {
    viewer = await api.addPerson(accountId, 'viewer');
  });
  after(async () => {
    await service?.kill('SIGKILL');
    await api?.close();
  });

  const publish = (title: string) => {
    const row = { account_id: accountId, source_id: sourceId, received_at: 0, title } as Delivery;
    return publishDeliveries({ redis: api.redis, keyspace: createKeyspace(api.namespace) }, [row]);
  };
  const watch = async ({ cookie }: Person) => {
    const stream = await openLive(base, cookie, sourceId);
    await publish('before');
    await until(() => stream.text().includes('before'));
    return stream;
  };
  /** The same user with a second session. */
  const elsewhere = async ({ me }: Person) => {
    const answer = await supertest(api.app)
      .post(`${DASHBOARD_API}/session`)
      .set('x-forwarded-for', newAddress())
      .send({ email: me.user.email, password: PASSWORD });
    return personOf(api.app, me, cookieOf(answer.headers));
  };

  const changes: readonly (readonly [string, () => Promise<{ readonly status: number }>])[] = [
    ['is removed from the account', () => owner.call('delete', `/members/${viewer.me.user.user_id}`)],
    ['signs out', () => viewer.call('delete', '/session')],
    [
      'changes the password elsewhere',
      async () =>
        (await elsewhere(viewer)).call('put', '/session/password', {
          current_password: PASSWORD,
          new_password: `${PASSWORD}!`,
        }),
    ],
    ['signs out all other sessions', async () => (await elsewhere(viewer)).call('delete', '/sessions')],
    [
      'switches to another account',
      async () => {
        const account_id = await api.addAccount();
        const { user_id } = viewer.me.user;
        await api.store.memberships.insertMembership({ account_id, user_id, role: 'viewer', created_at: 0 });
        return viewer.call('put', '/session/account', { account_id });
      },
    ],
  ];
  for (const [what, change] of changes) {
    it(`ends at once when its user ${what}, and shows no later row`, async () => {
      const stream = await watch(viewer);
      const stays = await watch(owner);
      expect((await change()).status).to.be.oneOf([200, 204]);
      await publish('after');
      await until(stream.ended, { withinMs: AT_ONCE_MS });
      expect(stream.text()).not.to.contain('after');
      await until(() => stays.text().includes('after'));
      stays.close();
    });

    it(`ends at once when its user ${what}, even without new rows`, async () => {
      const stream = await watch(viewer);
      await change();
      await until(stream.ended, { withinMs: AT_ONCE_MS });
    });
  }

  it('shows no row after a removal that was not announced', async () => {
    const stream = await watch(viewer);
    await api.store.memberships.removeMembership(accountId, viewer.me.user.user_id);
    await publish('after');
    await until(stream.ended, { withinMs: AT_ONCE_MS });
    expect(stream.text()).not.to.contain('after');
  });

  it('continues when the role of its user changes and still allows it', async () => {
    const stream = await watch(viewer);
    const { user_id } = viewer.me.user;
    expect((await owner.call('put', `/members/${user_id}/role`, { role: 'admin' })).status).to.equal(200);
    await publish('after');
    await until(() => stream.text().includes('after'));
    stream.close();
  });
});
