import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createBoundedTurns, inBoundedTurns } from '@sluice/ingress/http/bounded-turns';
import { servePlainFirst } from '@sluice/ingress/http/plain/serve-plain-first';
import { expect } from 'chai';
import { type Attack, answersOf, prepareAttack, rawRequest } from '../faults/support/floods-attack.ts';
import { until } from '../support/until.ts';

const BUSY_CONNECTIONS = 50;
const NEW_CONNECTIONS = 10;
/** Milliseconds of processor time a request. */
const COST = 1;

/** Keeps the processor busy, as verifying a request does. */
function work(): void {
  const until = performance.now() + COST;
  while (performance.now() < until);
}

describe('the ingress begins requests in bounded turns of the event loop', () => {
  let server: Server;
  let attack: Attack | undefined;
  let begun: string[] = [];
  let port: number;

  beforeEach(async () => {
    begun = [];
    const turns = createBoundedTurns();
    server = createServer(
      inBoundedTurns(turns, (incoming, response) => {
        work();
        begun.push(incoming.url as string);
        incoming.resume();
        response.end('ok');
      }),
    );
    servePlainFirst(server, ({ sourceId }, connection) =>
      turns({
        connection,
        begin() {
          work();
          begun.push(sourceId);
          connection.answer('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', 'latin1');
        },
        isGone: () => connection.socket.destroyed,
      }),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterEach(async () => {
    await attack?.stop();
    server.closeAllConnections();
    server.close();
  });

  function get(path: string): Promise<unknown> {
    const sent = request({ port, host: '127.0.0.1', path, agent: false });
    sent.end();
    return once(sent, 'response').then(([answer]) => once(answer.resume(), 'end'));
  }

  const BUSY: Readonly<Record<string, Buffer>> = {
    "are Node's to read": rawRequest('/busy', { 'content-length': 0 }),
    'are plain': rawRequest('/api/v1/events/webhook/busy', { 'content-length': 2 }, Buffer.from('{}')),
  };
  for (const [name, request] of Object.entries(BUSY))
    it(`serves ${NEW_CONNECTIONS} new connections before ${BUSY_CONNECTIONS} busy ones, whose requests ${name}, have had three turns each`, async () => {
      const requests = [request];
      attack = await prepareAttack({
        kind: 'repeat',
        port,
        connections: BUSY_CONNECTIONS,
        requests,
        pipelined: 1,
      });
      attack.begin();
      await until(async () => answersOf((attack as Attack).seen()) > 10 * BUSY_CONNECTIONS);
      const before = begun.length;
      await Promise.all(Array.from({ length: NEW_CONNECTIONS }, () => get('/new')));
      // If a turn served all busy connections, each new connection would wait one such turn longer than the one before.
      expect(begun.length - before).to.be.below(3 * BUSY_CONNECTIONS);
    });

  it('begins the requests of a connection in their order, however many arrive at once', async () => {
    const paths = Array.from({ length: 100 }, (_, i) => `/${i}`);
    const requests = [Buffer.concat(paths.map((path) => rawRequest(path, { 'content-length': 0 })))];
    attack = await prepareAttack({ kind: 'repeat', port, connections: 1, requests, pipelined: 1 });
    attack.begin();
    await until(async () => begun.length >= paths.length);
    expect(begun.slice(0, paths.length)).to.deep.equal(paths);
  });

  it('does not begin a request whose sender has gone while it waited', async () => {
    const whole = Array.from({ length: 50 }, (_, i) => rawRequest(`/${i}`, { 'content-length': 0 }));
    const socket = connect({ port, host: '127.0.0.1' });
    socket.end(Buffer.concat([...whole, rawRequest('/gone', { 'content-length': 10 })]));
    await once(socket.resume(), 'close');
    await get('/last');
    expect(begun).to.include('/0').and.not.include('/gone');
    expect(begun.at(-1)).to.equal('/last');
  });
});
