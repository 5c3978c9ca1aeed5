import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { useOutboundPipeline } from '../dispatcher/support/outbound-pipeline.ts';
import { startReceiver } from '../dispatcher/support/receiver.ts';
import { addKey, useApis } from '../support/api-processes.ts';
import type { TestSource } from '../support/ingress.ts';
import { seededRandom } from '../support/load.ts';
import { LONG, seed, sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { killOne } from './support/kill.ts';
import { startPublishedLoad } from './support/published-load.ts';
import {
  brokenChains,
  countPending,
  type PublishedMessage,
  pendingLeads,
} from './support/published-verdict.ts';
import { report } from './support/report.ts';

const KILLS = sized({ short: 3, middle: 20, long: 200 });

/**
 * Guarantee 8: no change without its message. Workers and the API are killed at random instants between the write of a
 * change, its place in the log, and the moment it is cleared.
 */
describe('guarantee 8: no change without its message', function () {
  this.timeout(LONG ? 1_200_000 : 240_000);
  const pipeline = useOutboundPipeline({ workers: 2, dispatchers: 0 });
  const apis = useApis(pipeline, 1);
  let source: TestSource;
  const receiver = use(startReceiver);
  let subscriptionId: string;
  let key: string;
  before(async () => {
    source = await pipeline.addSource({ plan: 'unlimited' });
    key = await addKey(pipeline, source.accountId);
    const body = { target_url: receiver.url, events: ['*'], ordered: true };
    subscriptionId = (await pipeline.subscribe(source.accountId, body)).subscription.subscription_id;
    await Promise.all(pipeline.workers.map((worker) => worker.ready()));
  });

  /** What the only dispatcher delivers, in its order. */
  async function deliverAll(): Promise<PublishedMessage[]> {
    await pipeline.addDispatcher();
    const status = () => pipeline.outbox.status(source.accountId, [subscriptionId]);
    const isDone = async () => (await status())[0]?.waiting === 0;
    await until(isDone, { withinMs: 60_000, what: 'all messages are delivered' });
    return receiver.received.map(
      ({ id, body }) => ({ ...body, message_id: id }) as PublishedMessage & object,
    );
  }

  it('publishes each change that was kept exactly once, whichever process is killed', async () => {
    const random = seededRandom(seed);
    const pick = (below: number) => Math.floor(random() * below);
    const [ingressUrl, apiUrl] = [pipeline.urls[0] as string, apis.urls[0] as string];
    const load = startPublishedLoad({ source, key, pick, apiUrl, ingressUrl });
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(100 + pick(600));
      if (kill % 3 === 2) await apis.replace(0);
      else await killOne(pipeline, 'worker', random);
    }
    await load.stop();
    const { events: sent, leads } = load.accepted();
    await pipeline.logged(source, sent);
    await until(async () => (await countPending(pipeline.store)) === 0, {
      what: 'all changes are published',
    });

    const messages = await deliverAll();
    const events = await pipeline.events(source);
    const violations = [
      ...brokenChains(messages, events),
      ...(await pendingLeads(pipeline.store, messages, load.leads, subscriptionId)),
    ];
    const changes = sent + leads;
    report(`${messages.length} messages of ${changes} changes, ${violations.length} violations`, KILLS);
    expect(violations).to.deep.equal([]);
    expect(events).to.have.length(load.titles.size);
    expect(messages.length).to.be.greaterThan(load.leads.length + events.length);
  });
});
