import { once } from 'node:events';
import type { Socket } from 'node:net';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { expect } from 'chai';
import { type Person, startApi, type TestApi } from '../support/api.ts';
import { rawHttp } from '../support/raw-http.ts';
import { until } from '../support/until.ts';
import { head, type Line, type Listening, startListening } from './support/listening.ts';
import { ALL_ROUTES } from './support/route-case.ts';

const MIB = 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };
const LARGE = { ...JSON_TYPE, 'content-length': MIB };
const CREATE = ROUTES.sources.create.path;
const IMPORT = ROUTES.events.import.path;

describe('api: a request that is answered before its body', () => {
  let api: TestApi;
  let at: Listening;
  let owner: Person;
  let viewer: Person;
  before(async () => {
    api = await startApi();
    at = await startListening(api.app);
    const accountId = await api.addAccount();
    owner = await api.addPerson(accountId, 'owner');
    viewer = await api.addPerson(accountId, 'viewer');
  });
  after(async () => {
    await at?.close();
    await api?.close();
  });

  const answer = async (line: Line, code: string): Promise<string> => {
    await until(() => line.answered().includes(`"code":"${code}"`), { withinMs: 20_000, what: `a ${code}` });
    return line.answered();
  };
  const sourceNames = async () =>
    ((await owner.read('/sources')).items as { name: string }[]).map(({ name }) => name);

  it('of every guarded route, without a session: 401 before one byte of the body has come', async () => {
    const guarded = ALL_ROUTES.filter(({ route }) => route.access !== 'anyone');
    await Promise.all(
      guarded.map(async ({ route }) => {
        const line = await at.open(head(route.method, route.path.replace(/:\w+/g, 'some_id'), LARGE));
        const text = await answer(line, 'signed_out');
        expect(text, route.path)
          .to.match(/^HTTP\/1\.1 401 /)
          .and.match(/\r\nconnection: close\r\n/i);
        line.socket.destroy();
      }),
    );
  });

  it('with too small a role, from another site, or too large: likewise', async () => {
    const cases = [
      ['forbidden', { ...LARGE, cookie: viewer.cookie }],
      ['cross_site', { ...LARGE, cookie: owner.cookie, origin: 'https://evil.example' }],
      ['payload_too_large', { ...LARGE, cookie: owner.cookie }],
      ['unsupported_media_type', { ...LARGE, cookie: owner.cookie, 'content-type': 'text/plain' }],
      ['unsupported_media_type', { ...LARGE, cookie: owner.cookie, 'content-encoding': 'gzip' }],
    ] as const;
    for (const [code, headers] of cases) {
      const line = await at.open(head('POST', CREATE, headers));
      expect(await answer(line, code)).to.match(/\r\nconnection: close\r\n/i);
      line.socket.destroy();
    }
  });

  it('reads no more than 256 KiB of the body, and the answer reaches a sender that sends all of it', async () => {
    const accepted = once(at.server, 'connection') as Promise<[Socket]>;
    const size = 32 * MIB;
    const line = await at.open(head('POST', IMPORT, { ...JSON_TYPE, 'content-length': size }));
    const [socket] = await accepted;
    line.socket.write(Buffer.alloc(size, ' '));
    await answer(line, 'signed_out');
    await until(() => line.closed());
    expect(socket.bytesRead).to.be.below(256 * 1024);
  });

  it('closes the connection within seconds, also of a sender that does neither send nor close', async () => {
    const line = await at.open(head('POST', CREATE, LARGE));
    await answer(line, 'signed_out');
    await until(() => line.closed(), { withinMs: 5_000 });
  });

  it('leaves a sender that goes on sending time to read it: no reset', async () => {
    const line = await at.open(head('POST', CREATE, { ...JSON_TYPE, 'content-length': 40_000 }));
    await answer(line, 'signed_out');
    for (let n = 0; n < 4; n++) {
      const fault = await new Promise((resolve) => line.socket.write(Buffer.alloc(10_000, ' '), resolve));
      expect(fault ?? undefined).to.equal(undefined);
    }
    await until(() => line.closed());
    expect(line.fault()).to.equal(undefined);
  });

  it('begins nothing that is pipelined behind it', async () => {
    const { sessions } = api.store;
    const { findSession } = sessions;
    let looked = 0;
    const counted = (hash: string) => {
      looked += 1;
      return findSession(hash);
    };
    Object.assign(sessions, { findSession: counted });
    const behind = head('GET', CREATE, { cookie: owner.cookie }).repeat(3);
    const early = head('POST', CREATE, { ...JSON_TYPE, 'content-length': 20_000 });
    const rest = Buffer.concat([Buffer.alloc(20_000, ' '), Buffer.from(behind)]);
    const sized = await at.open(early);
    await answer(sized, 'signed_out');
    sized.socket.write(rest);
    const chunked = await at.open(head('POST', CREATE, { ...JSON_TYPE, 'transfer-encoding': 'chunked' }));
    await answer(chunked, 'signed_out');
    chunked.socket.write(`0\r\n\r\n${behind}`);
    await until(() => sized.closed() && chunked.closed());
    Object.assign(sessions, { findSession });
    for (const line of [sized, chunked])
      expect(line.answered().match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 401']);
    expect(looked).to.equal(0);
  });

  it('is followed by pipelined requests in 300 connections, and nothing ends', async () => {
    const heads = [
      head('POST', CREATE, { ...JSON_TYPE, 'content-length': 20_000 }),
      head('POST', CREATE, { ...JSON_TYPE, cookie: owner.cookie, 'content-length': 20_000 }),
      head('POST', '/nothing', { 'content-length': 20_000 }),
      head('POST', ROUTES.session.signIn.path, { 'content-type': 'text/plain', 'content-length': 20_000 }),
      head('GET', '/docs', { 'content-length': 20_000 }),
      head('PUT', CREATE, { expect: '100-continue', 'content-length': 20_000 }),
    ];
    const behind = head('GET', '/docs').repeat(20);
    const lines = await Promise.all(
      Array.from({ length: 300 }, async (_, n) => {
        const whole = Buffer.from(`${heads[n % heads.length]}${' '.repeat(20_000)}${behind}`);
        // Cut at another place in each connection.
        const cut = Math.floor((whole.length * n) / 300);
        const line = await at.open(whole.subarray(0, cut));
        setImmediate(() => line.socket.write(whole.subarray(cut)));
        return line;
      }),
    );
    await until(() => lines.every((line) => /^HTTP\/1\.1 [2-5]/.test(line.answered())));
    for (const line of lines) line.socket.destroy();
    expect(await rawHttp(at.url, [head('GET', '/docs', { connection: 'close' })])).to.match(
      /^HTTP\/1\.1 200 /,
    );
  });

  it('keeps the connection where the body is short', async () => {
    const short = head('POST', CREATE, { ...JSON_TYPE, 'content-length': 2 });
    const line = await at.open(short);
    expect(await answer(line, 'signed_out')).to.match(/\r\nconnection: keep-alive\r\n/i);
    line.socket.write(`{}${head('GET', '/api/public/nothing')}`);
    await answer(line, 'not_found');
    line.socket.destroy();
  });

  it('keeps the connection of a signed-in sender whose large body was read', async () => {
    const headers = { ...LARGE, cookie: owner.cookie };
    const line = await at.open(head('POST', IMPORT, headers), Buffer.alloc(MIB, ' '));
    expect(await answer(line, 'malformed_json')).to.match(/\r\nconnection: keep-alive\r\n/i);
    line.socket.write(head('GET', '/api/public/nothing'));
    await answer(line, 'not_found');
    line.socket.destroy();
  });

  it('a sender that waits for 100 Continue is asked for its body only once its session was looked at', async () => {
    const body = JSON.stringify({ name: 'Asked for' });
    const headers = { ...JSON_TYPE, expect: '100-continue', 'content-length': body.length };
    const unknown = await at.open(head('POST', CREATE, headers));
    expect(await answer(unknown, 'signed_out')).to.match(/^HTTP\/1\.1 401 /);
    unknown.socket.destroy();
    const known = await at.open(head('POST', CREATE, { ...headers, cookie: owner.cookie }));
    await until(() => known.answered() === 'HTTP/1.1 100 Continue\r\n\r\n', { withinMs: 20_000 });
    known.socket.write(body);
    await until(() => known.answered().includes('HTTP/1.1 201 '));
    known.socket.destroy();
  });

  it('a role that is taken away while the body comes in is gone before the handler works', async () => {
    const { accountId, admin } = await anAdmin();
    const body = JSON.stringify({ name: 'Held back' });
    const headers = {
      ...JSON_TYPE,
      cookie: admin.cookie,
      expect: '100-continue',
      'content-length': body.length,
    };
    const line = await at.open(head('POST', CREATE, headers));
    await until(() => line.answered().includes('100 Continue'));
    await api.store.memberships.setRole(accountId, admin.me.user.user_id, 'viewer');
    line.socket.write(body);
    await answer(line, 'forbidden');
    expect(await sourceNames()).not.to.include('Held back');
    line.socket.destroy();
  });

  async function anAdmin() {
    const accountId = owner.me.account.account_id;
    return { accountId, admin: await api.addPerson(accountId, 'admin') };
  }
});
