import { setTimeout as sleep } from 'node:timers/promises';
import { createKey } from '@sluice/accounts/keys/create-key';
import { createKeyring } from '@sluice/credentials/seal';
import { createMailboxes, type Mailboxes } from '@sluice/outbound/queue/mailboxes';
import { createSubscriptionDirectory } from '@sluice/outbound/queue/subscription-directory';
import type { Entry } from '@sluice/outbound/queue/turn';
import { createSubscription } from '@sluice/outbound/subscriptions/create-subscription';
import { createShards } from '@sluice/redis/shards/shards';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import type { TestSource } from '../support/ingress.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { LONG, seed, sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { startPublishedLoad } from './support/published-load.ts';
import { brokenChains, countPending, pendingLeads, readMessages } from './support/published-verdict.ts';
import { report } from './support/report.ts';

const KILLS = sized({ short: 8, middle: 20, long: 200 });
const TOLD_WITHIN_MS = 30_000;
const PAGE = 500;

/**
 * Guarantee 8: no change without its message. Workers and the API are killed at random instants between the write of a
 * change, its fan-out, and the moment it is cleared.
 */
describe('guarantee 8: no change without its message', function () {
  this.timeout(LONG ? 1_200_000 : 240_000);
  let pipeline: Pipeline;
  let source: TestSource;
  let api: ServiceProcess;
  let apiUrl = '';
  let redis: Redis;
  let mailboxes: Mailboxes;
  let subscriptionId: string;
  let key: string;

  async function startApi(): Promise<void> {
    api = startService('api', { ...pipeline.env });
    apiUrl = (await api.logged('api.listening')).url as string;
  }

  before(async () => {
    pipeline = await startPipeline({ ingress: 1, workers: 2, env: { KEY_RATE_PER_MINUTE: '1000000' } });
    source = await pipeline.addSource({ plan: 'unlimited' });
    redis = new Redis(pipeline.redis.url, { maxRetriesPerRequest: null });
    const { store, env } = pipeline;
    const { accountId } = source;
    const scopes = ['read:leads', 'write:leads', 'webhooks'] as const;
    const created = await createKey(
      { ...store, now: Date.now },
      { accountId, name: 'test', scopes, expiresAt: null },
    );
    if (created.status !== 'created') throw new Error(created.status);
    key = created.key;
    const shards = createShards(pipeline.namespace, 1);
    mailboxes = createMailboxes({ redis, shards });
    const subscribed = await createSubscription(
      {
        ...{ ...store, mailboxes },
        subscriptionDirectory: createSubscriptionDirectory({ redis, shards }),
        keyring: createKeyring({ current: Buffer.from(env.SLUICE_SECRET_KEY ?? '', 'base64') }),
        checkTargetUrl: async (url) => ({ outcome: 'url', url }),
        ...{ subscriptionLimit: 20, now: Date.now, sleep: (ms) => sleep(ms) },
      },
      {
        ...{ accountId, key: created.apiKey, newId: 'sub_1' },
        input: { target_url: 'https://example.com/hook', events: ['*'] } as never,
      },
    );
    if (!('secret' in subscribed)) throw new Error(subscribed.status);
    subscriptionId = subscribed.subscription.subscription_id;
    await startApi();
    await Promise.all([api.ready(), ...pipeline.workers.map((worker) => worker.ready())]);
  });
  after(async () => {
    redis?.disconnect();
    await api?.kill('SIGKILL');
    await pipeline?.stop();
  });

  async function listAll(): Promise<Entry[]> {
    const all: Entry[] = [];
    for (;;) {
      const after = all.at(-1)?.number ?? 0;
      const page = await mailboxes.list(source.accountId, subscriptionId, { after, limit: PAGE });
      all.push(...page);
      if (page.length < PAGE) return all;
    }
  }

  it('publishes each change that was kept exactly once, whichever process is killed', async () => {
    const random = randomOf(seed);
    const pick = (below: number) => Math.floor(random() * below);
    const load = startPublishedLoad({
      ...{ source, key, pick, apiUrl: () => apiUrl },
      ingressUrl: pipeline.urls[0] as string,
    });
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(100 + pick(600));
      if (kill % 3 === 2) {
        await api.kill('SIGKILL');
        await startApi();
      } else {
        const index = pick(2);
        await pipeline.workers[index]?.kill('SIGKILL');
        // The new worker takes the place of the killed one.
        pipeline.workers[index] = pipeline.addWorker();
        pipeline.workers.pop();
      }
    }
    await load.stop();
    await pipeline.logged(source, load.accepted.events);
    await until(async () => (await countPending(pipeline.store)) === 0, {
      withinMs: TOLD_WITHIN_MS,
      what: 'all changes are published',
    });

    const entries = await listAll();
    const messages = await readMessages(pipeline.store, entries);
    const events = await pipeline.events(source);
    const violations = [
      ...brokenChains(messages, events),
      ...(await pendingLeads(pipeline.store, messages, load.leads, subscriptionId)),
    ];
    report({
      ...{ test: 'no change without its message', done: 'SIGKILL of workers and API', times: KILLS },
      asked: '0 lost, 0 doubled, 0 out of order, 0 untold',
      seen: `${messages.length} messages of ${load.accepted.events + load.accepted.leads} accepted changes, ${violations.length} violations`,
    });
    expect(violations).to.deep.equal([]);
    expect(events).to.have.length(load.titles.size);
    expect(messages.length).to.be.greaterThan(load.leads.length + events.length);
  });
});

/** Numbers from 0 to 1 that a seed determines (mulberry32). */
function randomOf(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
