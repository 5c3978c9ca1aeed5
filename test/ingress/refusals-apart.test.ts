import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SourceRecord } from '@sluice/admission/source-record';
import type { RefusedRequest } from '@sluice/contract/delivery/groups';
import { newSigningSecret } from '@sluice/credentials/signing-secret';
import { type Decision, UNAVAILABLE } from '@sluice/ingress/admit/decide';
import type { Candidate } from '@sluice/ingress/admit/rows';
import { REFUSALS } from '@sluice/ingress/answer/refusal';
import { nodeIncoming } from '@sluice/ingress/http/node-incoming';
import type { RowDone } from '@sluice/ingress/lanes/lane';
import { createBodyRoom } from '@sluice/ingress/receive/body-room';
import { createWaitingBodies } from '@sluice/ingress/receive/receive';
import { createAddressGuard } from '@sluice/ingress/verify/address-guard';
import { createWebhook } from '@sluice/ingress/webhook';
import { createKeyspace } from '@sluice/redis/keyspace';
import { listen } from '@sluice/runtime/http/listen';
import { createBatcher } from '@sluice/runtime/timing/batcher';
import { verifyingKey } from '@sluice/signature/verify';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { startIngress, type TestIngress } from '../support/ingress.ts';
import { post, postUpsert } from '../support/post.ts';
import { sharedRedisUrl } from '../support/shared-redis.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { timed } from '../support/timed.ts';

describe('ingress: separate jobs for rejected requests', () => {
  let ingress: TestIngress;
  before(async () => {
    ingress = await startIngress();
  });
  after(() => ingress?.close());

  it('give accepted requests their 200 while rejections cannot be logged and get 503', async () => {
    const source = await ingress.addSource();
    expect((await postUpsert(ingress.url, source)).status).to.equal(200);
    const redis = new Redis(sharedRedisUrl());
    // BullMQ cannot add a job if this is not a hash.
    await redis.set(`${createKeyspace(ingress.namespace).prefix}:refusals:meta`, 'no hash');
    redis.disconnect();
    const malformed = () =>
      post(ingress.url + source.path, signed({ secret: source.secret, body: Buffer.from('{') }));
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, i) =>
        i % 2 === 0
          ? { good: true, answer: await postUpsert(ingress.url, source) }
          : { good: false, answer: await malformed() },
      ),
    );
    for (const { good, answer } of answers) expect(answer.status).to.equal(good ? 200 : 503);
  });

  it('combine many rejections in few jobs, at least 10 ms apart', async () => {
    const fresh = await startIngress();
    const source = await fresh.addSource();
    const sent = 500;
    const startedAt = performance.now();
    const answers = await Promise.all(
      Array.from({ length: sent }, (_, i) =>
        post(fresh.url + source.path, signed({ secret: source.secret, body: Buffer.from(`{${i}`) })),
      ),
    );
    const ms = performance.now() - startedAt;
    for (const answer of answers) expect(answer.body.code).to.equal('malformed_json');
    const redis = new Redis(sharedRedisUrl());
    const jobs = await redis.llen(`${createKeyspace(fresh.namespace).prefix}:refusals:wait`);
    redis.disconnect();
    // The first commit is immediate, and a timer may fire a millisecond early.
    expect(jobs).to.be.within(1, 1 + ms / 9);
    expect(await fresh.enqueuedRefusals()).to.have.length(sent);
    await fresh.close();
  });

  it('keep one deadline: 503 within 1.5 s if the row hangs after a slow admission', async () => {
    const admissions = createBatcher<Candidate, Decision>({
      maxItems: 10,
      late: { result: UNAVAILABLE, maxWaiting: 10 },
      async run(candidates) {
        await sleep(900);
        return candidates.map(() => ({
          kind: 'refuse',
          refusal: REFUSALS.source_inactive,
          logged: true,
          rate: null,
        }));
      },
    });
    let thaw = (_rows: RowDone[]): void => undefined;
    const refusals = createBatcher<RefusedRequest, RowDone>({
      maxItems: 10,
      late: { result: 'unavailable', maxWaiting: 10 },
      run: () =>
        new Promise((resolve) => {
          thaw = resolve;
        }),
    });
    const secret = newSigningSecret();
    const record = { source_id: 'src_1', account_id: 'acc_1', version: 1, active: true } as SourceRecord;
    const source = { record, bodyStorage: 'all' as const, key: verifyingKey(secret) };
    const sources = {
      cached: () => source,
      find: () => Promise.resolve({ outcome: 'found', source } as const),
      forget: () => undefined,
      forgetAll: () => undefined,
    };
    const handle = createWebhook({
      gate: { closed: () => null },
      sources,
      proxyWatch: { saw: () => undefined },
      guard: createAddressGuard(),
      explainSignature: ({ refusal }) => refusal,
      results: { expect: () => undefined },
      admissions,
      refusals,
      defaultRate: { perSecond: 100, burst: 100 },
      bodies: createBodyRoom(),
      waitingBodies: createWaitingBodies(),
    });
    const server = createServer(async (http, response) => {
      const reply = await handle({
        sourceId: 'src_1',
        kind: 'events',
        requestId: 'req_1',
        address: () => '127.0.0.1',
        http: nodeIncoming(http, response, () => undefined),
      });
      response.end(reply?.kind === 'refused' ? reply.refusal.code : 'accepted');
    });
    const { url } = await listen({ server, port: 0, host: '127.0.0.1', variable: 'PORT' });
    const { headers, body } = signed({ secret, body: upsertBody() });
    const { result: code, ms } = await timed(async () =>
      (await fetch(url, { method: 'POST', headers, body })).text(),
    );
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    thaw([]);
    await refusals.idle();
    expect(code).to.equal('unavailable');
    expect(ms).to.be.below(1500);
  });
});
