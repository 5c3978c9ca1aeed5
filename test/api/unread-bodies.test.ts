import { once } from 'node:events';
import type { Socket } from 'node:net';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { expect } from 'chai';
import type { Person } from '../support/api.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { useApi } from '../support/use-api.ts';
import { type Connection, head, startListening } from './support/listening.ts';
import { ALL_ROUTES } from './support/route-case.ts';

const MIB = 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };
const LARGE = { ...JSON_TYPE, 'content-length': MIB };
const CREATE = ROUTES.sources.create.path;
/** The data is split at a different place in each. */
const IMPORT = ROUTES.events.import.path;

describe('api: a request with a response before its body', () => {
  const api = useApi();
  const at = use(() => startListening(api.app));
  let viewer: Person;
  before(async () => {
    viewer = await api.addPerson(api.accountId, 'viewer');
  });

  const answer = async (connection: Connection, code: string): Promise<string> => {
    await until(() => connection.answered().includes(`"code":"${code}"`), {
      withinMs: 20_000,
      what: `a ${code}`,
    });
    return connection.answered();
  };
  const sourceNames = async () =>
    ((await api.owner.read('/sources')).items as { name: string }[]).map(({ name }) => name);

  it('on every guarded route without a session gets 401 before any byte of the body', async () => {
    const guarded = ALL_ROUTES.filter(({ route }) => route.access !== 'anyone');
    await Promise.all(
      guarded.map(async ({ route }) => {
        const connection = await at.open(head(route.method, route.path.replace(/:\w+/g, 'some_id'), LARGE));
        const text = await answer(connection, 'signed_out');
        expect(text, route.path)
          .to.match(/^HTTP\/1\.1 401 /)
          .and.match(/\r\nconnection: close\r\n/i);
        connection.socket.destroy();
      }),
    );
  });

  it('with an insufficient role, from another site, too large or of the wrong type does too', async () => {
    const cases = [
      ['forbidden', { ...LARGE, cookie: viewer.cookie }],
      ['cross_site', { ...LARGE, cookie: api.owner.cookie, origin: 'https://evil.example' }],
      ['payload_too_large', { ...LARGE, cookie: api.owner.cookie }],
      ['unsupported_media_type', { ...LARGE, cookie: api.owner.cookie, 'content-type': 'text/plain' }],
      ['unsupported_media_type', { ...LARGE, cookie: api.owner.cookie, 'content-encoding': 'gzip' }],
    ] as const;
    for (const [code, headers] of cases) {
      const connection = await at.open(head('POST', CREATE, headers));
      expect(await answer(connection, code)).to.match(/\r\nconnection: close\r\n/i);
      connection.socket.destroy();
    }
  });

  it('reads at most 256 KiB of the body, and the response reaches a sender that sends all of it', async () => {
    const accepted = once(at.server, 'connection') as Promise<[Socket]>;
    const size = 32 * MIB;
    const connection = await at.open(head('POST', IMPORT, { ...JSON_TYPE, 'content-length': size }));
    const [socket] = await accepted;
    connection.socket.write(Buffer.alloc(size, ' '));
    await answer(connection, 'signed_out');
    await until(() => connection.closed());
    expect(socket.bytesRead).to.be.below(256 * 1024);
  });

  it('closes the connection within seconds, even if the sender neither sends nor closes', async () => {
    const connection = await at.open(head('POST', CREATE, LARGE));
    await answer(connection, 'signed_out');
    // The timeout for a body comes later.
    await until(() => connection.closed(), { withinMs: 20_000 });
  });

  it('gives a sender that keeps sending time to read the response, without a reset', async () => {
    const connection = await at.open(head('POST', CREATE, { ...JSON_TYPE, 'content-length': 40_000 }));
    await answer(connection, 'signed_out');
    for (let n = 0; n < 4; n++) {
      const fault = await new Promise((resolve) =>
        connection.socket.write(Buffer.alloc(10_000, ' '), resolve),
      );
      expect(fault ?? undefined).to.equal(undefined);
    }
    await until(() => connection.closed());
    expect(connection.fault()).to.equal(undefined);
  });

  it('does not process requests that are pipelined behind it', async () => {
    const { sessions } = api.store;
    const { findSession } = sessions;
    let looked = 0;
    const counted = (hash: string) => {
      looked += 1;
      return findSession(hash);
    };
    Object.assign(sessions, { findSession: counted });
    const behind = head('GET', CREATE, { cookie: api.owner.cookie }).repeat(3);
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
    for (const connection of [sized, chunked])
      expect(connection.answered().match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 401']);
    expect(looked).to.equal(0);
  });

  it('keeps the connection open if the body is short', async () => {
    const short = head('POST', CREATE, { ...JSON_TYPE, 'content-length': 2 });
    const connection = await at.open(short);
    expect(await answer(connection, 'signed_out')).to.match(/\r\nconnection: keep-alive\r\n/i);
    connection.socket.write(`{}${head('GET', '/api/public/nothing')}`);
    await answer(connection, 'not_found');
    connection.socket.destroy();
  });

  it('sends 100 Continue only after the session was checked', async () => {
    const body = JSON.stringify({ name: 'Asked for' });
    const headers = { ...JSON_TYPE, expect: '100-continue', 'content-length': body.length };
    const unknown = await at.open(head('POST', CREATE, headers));
    expect(await answer(unknown, 'signed_out')).to.match(/^HTTP\/1\.1 401 /);
    unknown.socket.destroy();
    const known = await at.open(head('POST', CREATE, { ...headers, cookie: api.owner.cookie }));
    await until(() => known.answered() === 'HTTP/1.1 100 Continue\r\n\r\n', { withinMs: 20_000 });
    known.socket.write(body);
    await until(() => known.answered().includes('HTTP/1.1 201 '));
    known.socket.destroy();
  });

  it('rejects a sender whose role was removed while the body arrived', async () => {
    const { accountId, admin } = await anAdmin();
    const body = JSON.stringify({ name: 'Held back' });
    const headers = {
      ...JSON_TYPE,
      cookie: admin.cookie,
      expect: '100-continue',
      'content-length': body.length,
    };
    const connection = await at.open(head('POST', CREATE, headers));
    await until(() => connection.answered().includes('100 Continue'));
    await api.store.memberships.setRole(accountId, admin.me.user.user_id, 'viewer');
    connection.socket.write(body);
    await answer(connection, 'forbidden');
    expect(await sourceNames()).not.to.include('Held back');
    connection.socket.destroy();
  });

  async function anAdmin() {
    const accountId = api.owner.me.account.account_id;
    return { accountId, admin: await api.addPerson(accountId, 'admin') };
  }
});
