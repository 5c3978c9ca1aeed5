import { createServer, type Server } from 'node:http';
import type { SourceRecord } from '@sluice/admission/source-record';
import { UNAVAILABLE } from '@sluice/ingress/admit/decide';
import type { Reply } from '@sluice/ingress/answer/reply';
import { nodeIncoming } from '@sluice/ingress/http/node-incoming';
import { createBodyRoom } from '@sluice/ingress/receive/body-room';
import { createWaitingBodies } from '@sluice/ingress/receive/receive';
import { createAddressGuard } from '@sluice/ingress/verify/address-guard';
import type { KnownSource } from '@sluice/ingress/verify/known-source';
import { createWebhook, type WebhookDeps } from '@sluice/ingress/webhook';
import { listen } from '@sluice/runtime/http/listen';
import { verifyingKey } from '@sluice/signature/verify';
import { expect } from 'chai';
import { until } from '../support/until.ts';

const ROOM = 1024 * 1024;
const BODY = new Uint8Array(255 * 1024).fill(0x20);
/** The number of bodies that fit. */
const FIT = 4;

describe('ingress: bodies that wait for their response', () => {
  let server: Server;
  let url: string;
  const waiting: (() => void)[] = [];

  before(async () => {
    server = createServer(async (http, response) => {
      const reply = await createWebhook(deps)({
        sourceId: 'src_1',
        kind: 'events' as const,
        requestId: 'req_1',
        address: () => '',
        http: nodeIncoming(http, response, () => undefined),
      });
      response.writeHead(statusOf(reply)).end();
    });
    ({ url } = await listen({ server, port: 0, host: '127.0.0.1', variable: 'INGRESS_PORT' }));
  });
  after(() => server?.close());

  /** The admission stands for a Redis that responds only when the test says so. */
  const deps: WebhookDeps = {
    gate: { closed: () => null },
    sources: {
      cached: () => SOURCE,
      find: () => Promise.reject(new Error('it is cached')),
      forget: () => {},
      forgetAll: () => {},
    },
    proxyWatch: { saw: () => undefined },
    guard: createAddressGuard(),
    explainSignature: ({ refusal }) => refusal,
    results: {
      expect: () => {
        throw new Error('no request here is signed');
      },
    },
    admissions: {
      submit: () => new Promise((resolve) => waiting.push(() => resolve(UNAVAILABLE))),
    },
    refusals: { submit: () => Promise.reject(new Error('nothing is refused')) },
    defaultRate: { perSecond: 1, burst: 1 },
    bodies: createBodyRoom(),
    waitingBodies: createWaitingBodies(ROOM),
  };

  const post = () =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', prefer: 'wait=5' },
      body: BODY,
    });

  it('wait for no result if they are unsigned, and have limited memory: one more gets 503 at once, until others have their response', async () => {
    for (let time = 0; time < 2; time++) {
      const held = Array.from({ length: FIT }, post);
      await until(() => waiting.length === FIT);
      expect((await post()).status, 'one more').to.equal(503);
      expect(waiting, 'nothing that waited was answered for it').to.have.length(FIT);
      for (const answer of waiting.splice(0)) answer();
      for (const answered of await Promise.all(held)) expect(answered.status).to.equal(503);
    }
  });
});

const SOURCE: KnownSource = {
  record: { source_id: 'src_1', account_id: 'acc_1', active: true } as SourceRecord,
  bodyStorage: 'all',
  key: verifyingKey('whsec_any'),
};

function statusOf(reply: Reply | null): number {
  if (reply?.kind !== 'refused') throw new Error('nothing is accepted here');
  return reply.refusal.code === 'unavailable' ? 503 : 400;
}
