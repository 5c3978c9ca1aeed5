import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createStreamLimit, STREAM_LIMITS } from '@sluice/api/deliveries/stream-limit';
import { createHttpServer } from '@sluice/api/server';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { expect } from 'chai';
import supertest from 'supertest';
import { cookieOf, newAddress, PASSWORD, startApi, type TestApi } from '../support/api.ts';
import { until } from '../support/until.ts';
import { openLive } from './support/live-streams.ts';

describe('api: the number of live streams', () => {
  let api: TestApi;
  let server: ReturnType<typeof createHttpServer>;
  before(async () => {
    api = await startApi();
    server = createHttpServer(api.app as never).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    server?.closeAllConnections();
    server?.close();
    await api?.close();
  });

  it('is limited per session: one more is rejected with advice, until one is closed', async () => {
    const owner = await api.addPerson(await api.addAccount(), 'owner');
    const { source_id } = (await owner.call('post', '/sources', { name: 'Booking' })).body.source;
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const open = (cookie = owner.cookie) => openLive(base, cookie, source_id);
    const streams = [];
    for (let n = 0; n < STREAM_LIMITS.perSession; n += 1) streams.push(await open());
    expect(streams.map(({ status }) => status)).to.deep.equal(streams.map(() => 200));

    const oneMore = await open();
    await until(oneMore.ended);
    expect(oneMore.status).to.equal(429);
    const problem = JSON.parse(oneMore.text());
    expect(problem.code).to.equal('rate_limited');
    expect(problem.detail).to.match(/^This session has 5 live streams open, .* Close a page/);
    expect(streams.some(({ ended }) => ended())).to.equal(false);

    const elsewhere = await supertest(api.app)
      .post(`${DASHBOARD_API}/session`)
      .set('x-forwarded-for', newAddress())
      .send({ email: owner.me.user.email, password: PASSWORD });
    expect((await open(cookieOf(elsewhere.headers))).status).to.equal(200);

    streams[0]?.close();
    await until(async () => {
      const again = await open();
      if (again.status !== 200) await until(again.ended);
      return again.status === 200;
    });
  });

  it('frees the places of pipelined streams when their connection closes', async () => {
    const owner = await api.addPerson(await api.addAccount(), 'owner');
    const { source_id } = (await owner.call('post', '/sources', { name: 'Booking' })).body.source;
    const { port } = server.address() as AddressInfo;
    const path = `${DASHBOARD_API}/deliveries/live?source_id=${source_id}`;
    const socket = connect(port, '127.0.0.1');
    const one = `GET ${path} HTTP/1.1\r\nhost: x\r\ncookie: ${owner.cookie}\r\n\r\n`;
    const open = () => openLive(`http://127.0.0.1:${port}`, owner.cookie, source_id);
    await until(async () => {
      // One more each time, because a stream of this loop may have taken the place.
      socket.write(one);
      const stream = await open();
      stream.close();
      return stream.status === 429;
    });
    socket.destroy();
    // All places must be free. The response that has the connection would free its place in any case.
    await until(async () => {
      const streams = await Promise.all(Array.from({ length: STREAM_LIMITS.perSession }, open));
      for (const stream of streams) stream.close();
      return streams.every(({ status }) => status === 200);
    });
  });

  it('is limited per user and per process, and frees a place only once', () => {
    const take = createStreamLimit({ perSession: 2, perUser: 3, perProcess: 4 });
    const taken = (sessionId: string, userId: string) => {
      const place = take({ sessionId, userId });
      return 'outcome' in place ? place.code : place.leave;
    };
    const leave = taken('ses_1', 'usr_1');
    expect(taken('ses_1', 'usr_1')).to.be.a('function');
    expect(taken('ses_1', 'usr_1')).to.equal('rate_limited');
    expect(taken('ses_2', 'usr_1')).to.be.a('function');
    expect(taken('ses_2', 'usr_1')).to.equal('rate_limited');
    expect(taken('ses_3', 'usr_2')).to.be.a('function');
    expect(taken('ses_4', 'usr_3')).to.equal('unavailable');
    if (typeof leave !== 'function') throw new Error(leave);
    leave();
    leave();
    expect(taken('ses_4', 'usr_3')).to.be.a('function');
    expect(taken('ses_5', 'usr_4')).to.equal('unavailable');
  });
});
