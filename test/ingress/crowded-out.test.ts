import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { nodeIncoming } from '@sluice/ingress/http/node-incoming';
import { createBodyRoom, type PartialBody } from '@sluice/ingress/receive/body-room';
import { createWaitingBodies } from '@sluice/ingress/receive/receive';
import { createAddressGuard } from '@sluice/ingress/verify/address-guard';
import { createWebhook, type WebhookDeps } from '@sluice/ingress/webhook';
import { listen } from '@sluice/runtime/http/listen';
import { expect } from 'chai';
import { until } from '../support/until.ts';

const ROOM = 100;

describe('ingress: incomplete bodies and their room', () => {
  let server: Server;
  let port: number;
  const codes: (string | null)[] = [];
  let held = 0;
  const holding = new Set<PartialBody>();

  before(async () => {
    server = createServer(async (http, response) => {
      const incoming = nodeIncoming(http, response, () => undefined);
      const request = {
        sourceId: 'src_1',
        kind: 'events' as const,
        requestId: 'req_1',
        address: () => '',
        http: incoming,
      };
      const reply = await createWebhook(deps)(request);
      codes.push(reply?.kind === 'refused' ? reply.refusal.code : null);
      response.end();
    });
    const { url } = await listen({ server, port: 0, host: '127.0.0.1', variable: 'INGRESS_PORT' });
    port = Number(new URL(url).port);
  });
  after(() => {
    server?.closeAllConnections();
    server?.close();
  });

  const room = createBodyRoom(ROOM);
  const never = () => Promise.reject(new Error('no source is found'));
  const deps: WebhookDeps = {
    gate: { closed: () => null },
    sources: {
      cached: () => undefined,
      find: async () => ({ outcome: 'not_found' }),
      forget: () => {},
      forgetAll: () => {},
    },
    proxyWatch: { saw: () => undefined },
    guard: createAddressGuard(),
    explainSignature: ({ refusal }) => refusal,
    results: { expect: () => undefined },
    admissions: { submit: never },
    refusals: { submit: never },
    defaultRate: { perSecond: 1, burst: 1 },
    bodies: {
      hold(body, bytes) {
        held += bytes;
        holding.add(body);
        room.hold(body, bytes);
      },
      leave(body) {
        holding.delete(body);
        room.leave(body);
      },
    },
    waitingBodies: createWaitingBodies(),
  };

  /** Begins a request with a body of 80 bytes, and sends `bytes` of them with its head. */
  function begin(bytes: number) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(
      `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 80\r\n\r\n${'x'.repeat(bytes)}`,
    );
    return socket;
  }

  it('get 503 if others need their room, and leave it once they are complete or their sender has gone', async () => {
    const slow = begin(60);
    await until(() => held === 60);
    const other = begin(60);
    await until(() => codes.length === 1);
    expect(codes).to.deep.equal(['unavailable']);
    other.write('x'.repeat(20));
    await until(() => codes.length === 2);
    const gone = begin(60);
    await until(() => held === 180);
    gone.destroy();
    await until(() => codes.length === 3);
    const last = begin(60);
    await until(() => held === 240);
    last.write('x'.repeat(20));
    await until(() => codes.length === 4);
    expect(codes).to.deep.equal(['unavailable', 'source_not_found', null, 'source_not_found']);
    expect(holding).to.be.empty;
    slow.destroy();
    last.destroy();
    other.destroy();
  });
});
