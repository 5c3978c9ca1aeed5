import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createHttpServer } from '@sluice/api/server';
import type { Delivery } from '@sluice/contract/delivery';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { publishDeliveries } from '@sluice/monitoring/live-deliveries';
import { createKeyspace } from '@sluice/redis/keyspace';
import { NotConnectedError } from '@sluice/store/connection/mongo-away';
import { expect } from 'chai';
import { type Person, startApi, type TestApi } from '../support/api.ts';
import { until } from '../support/until.ts';

describe('api: a live stream of deliveries', () => {
  let api: TestApi;
  let server: ReturnType<typeof createHttpServer>;
  let accountId: string;
  let owner: Person;
  let viewer: Person;
  let sourceId: string;

  before(async () => {
    api = await startApi({ liveHeartbeatMs: 10 });
    accountId = await api.addAccount();
    owner = await api.addPerson(accountId, 'owner');
    server = createHttpServer(api.app as never).listen(0, '127.0.0.1');
    await once(server, 'listening');
    sourceId = (await owner.call('post', '/sources', { name: 'Booking' })).body.source.source_id;
  });
  beforeEach(async () => {
    viewer = await api.addPerson(accountId, 'viewer');
  });
  after(async () => {
    server?.closeAllConnections();
    server?.close();
    await api?.close();
  });

  const url = () =>
    `http://127.0.0.1:${(server.address() as AddressInfo).port}${DASHBOARD_API}/deliveries/live?source_id=${sourceId}`;
  const keyspace = () => createKeyspace(api.namespace);

  async function watch({ cookie }: Person): Promise<{ ended: () => boolean; text: () => string }> {
    const request: ClientRequest = get(url(), { headers: { cookie } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).to.equal(200);
    let text = '';
    let ended = false;
    response.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    response.on('close', () => {
      ended = true;
    });
    await until(() => text.includes('still here'));
    return { ended: () => ended, text: () => text };
  }

  it('ends when its user signs out', async () => {
    const stream = await watch(viewer);
    await viewer.call('delete', '/session');
    await until(stream.ended);
  });

  it('ends when its user is removed from the account, and shows no later rows', async () => {
    const stream = await watch(viewer);
    await owner.call('delete', `/members/${viewer.me.user.user_id}`);
    await until(stream.ended);
    const row = { account_id: accountId, source_id: sourceId, title: 'not for them' } as Delivery;
    await publishDeliveries({ redis: api.redis, keyspace: keyspace() }, [row]);
    expect(stream.text()).not.to.contain('not for them');
  });

  it('ends when its user switches to another account in the same session', async () => {
    const other = await api.addAccount();
    await api.store.memberships.insertMembership({
      account_id: other,
      user_id: viewer.me.user.user_id,
      role: 'viewer',
      created_at: Date.now(),
    });
    const stream = await watch(viewer);
    await viewer.call('put', '/session/account', { account_id: other });
    await until(stream.ended);
  });

  it('continues for users who still have access', async () => {
    const gone = await watch(viewer);
    const stays = await watch(owner);
    await viewer.call('delete', '/session');
    await until(gone.ended);
    const beats = stays.text().split('still here').length;
    await until(() => stays.text().split('still here').length > beats + 3);
    expect(stays.ended()).to.equal(false);
  });

  it('continues while the store is away and access is unknown', async () => {
    const { sessions } = api.store;
    const { findSession } = sessions;
    const stream = await watch(viewer);
    let looks = 0;
    sessions.findSession = () => {
      looks += 1;
      return Promise.reject(new NotConnectedError());
    };
    try {
      await until(() => looks > 3);
      expect(stream.ended()).to.equal(false);
    } finally {
      sessions.findSession = findSession;
    }
    await viewer.call('delete', '/session');
    await until(stream.ended);
  });

  it('ends if the client does not read, instead of buffering without limit', async () => {
    const connected = once(server, 'connection') as Promise<[Socket]>;
    const request = get(url(), { headers: { cookie: owner.cookie }, agent: false });
    request.on('error', () => undefined);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', () => undefined);
    const [socket] = await connected;
    const row = { account_id: accountId, source_id: sourceId, received_at: 0, reason: 'x'.repeat(4000) };
    const rows = Array.from({ length: 50 }, () => row as Delivery);
    const publish = () => publishDeliveries({ redis: api.redis, keyspace: keyspace() }, rows);
    try {
      await until(
        async () => {
          // One at a time: together they are megabytes, which a busy Redis takes longer for than a command may wait.
          for (let n = 0; n < 20; n++) await publish();
          return socket.destroyed;
        },
        { what: 'the stream is ended' },
      );
    } finally {
      request.destroy();
    }
  });

  it('shows the rows of its source only', async () => {
    const stream = await watch(owner);
    const row = { account_id: accountId, received_at: 0 };
    const rows = ['src_other', sourceId].map((source_id) => ({
      ...row,
      source_id,
      title: `of ${source_id}`,
    }));
    await publishDeliveries({ redis: api.redis, keyspace: keyspace() }, rows as Delivery[]);
    await until(() => stream.text().includes(`of ${sourceId}`));
    expect(stream.text()).not.to.contain('of src_other');
  });

  it('reports omitted rows, even if all sent rows belong to another source', async () => {
    const stream = await watch(owner);
    const rows = Array.from({ length: 60 }, (_, n) => ({
      account_id: accountId,
      source_id: n === 0 ? sourceId : 'src_other',
    }));
    await publishDeliveries({ redis: api.redis, keyspace: keyspace() }, rows as Delivery[]);
    await until(() => stream.text().includes('"omitted":10'));
  });

  it('ends at once if it is opened while the replica stops', async () => {
    const own = await startApi({ liveHeartbeatMs: 10 });
    try {
      const person = await own.addPerson(await own.addAccount(), 'owner');
      const { source } = (await person.call('post', '/sources', { name: 'Booking' })).body;
      for (const replica of own.replicas) replica.endStreams();
      const { type, text } = await person.call('get', `/deliveries/live?source_id=${source.source_id}`);
      // With any other type a browser would not reconnect.
      expect({ type, text }).to.deep.equal({ type: 'text/event-stream', text: 'retry: 2000\n\n' });
    } finally {
      await own.close();
    }
  });
});
