import { setTimeout as sleep } from 'node:timers/promises';
import { LEASE_MS } from '@sluice/outbound/queue/limits';
import { pauseByAdmin, resumeByAdmin } from '@sluice/outbound/subscriptions/change-subscription';
import { deleteByKey } from '@sluice/outbound/subscriptions/delete-subscription';
import { pauseForKey } from '@sluice/outbound/subscriptions/pause-for-key';
import { expect } from 'chai';
import { useOutboundPipeline } from '../dispatcher/support/outbound-pipeline.ts';
import { type Receiver, startReceiver } from '../dispatcher/support/receiver.ts';
import type { TestSource } from '../support/ingress.ts';
import { postUpsert } from '../support/post.ts';
import { LONG, sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { startEventLoad } from './support/event-load.ts';
import { brokenDeliveries } from './support/received-verdict.ts';
import { report } from './support/report.ts';

const ROUNDS = sized({ short: 1, middle: 4, long: 50 });
const EDITS = sized({ short: 2, middle: 8, long: 100 });
const MESSAGES = 30;
/** Only time shows that nothing comes: an attempt begins within a lease. */
const SILENCE_MS = LEASE_MS + 200;
/** Time between n8n's DELETE and its POST. */
const EDIT_MS = 150;

describe('subscriptions that change while messages leave', function () {
  this.timeout(LONG ? 1_800_000 : 240_000);
  const pipeline = useOutboundPipeline();
  const receivers: Receiver[] = [];
  after(async () => {
    await Promise.all(receivers.map((one) => one.close()));
  });
  async function receiver(answer?: Receiver['answer']): Promise<Receiver> {
    const one = await startReceiver(answer);
    receivers.push(one);
    return one;
  }
  async function change(source: TestSource, title: string): Promise<void> {
    expect((await postUpsert(pipeline.urls[0] as string, source, { title })).status).to.equal(200);
  }

  it('get nothing after a revoke from a dispatcher that was frozen during it (guarantee 10)', async () => {
    let after = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const source = await pipeline.addSource({ plan: 'unlimited' });
      // The dispatcher has taken entries that it has not sent yet, whenever it is frozen.
      const slow = await receiver((_received, response) => void setTimeout(() => response.end(), 100));
      const body = { target_url: slow.url, events: ['*'] };
      const { subscription } = await pipeline.subscribe(source.accountId, body);
      const { key_id, subscription_id } = subscription;
      await Promise.all(Array.from({ length: MESSAGES }, (_, n) => change(source, `Event ${n}`)));
      await until(() => slow.received.length > 3);
      const pid = pipeline.dispatchers[0]?.pid as number;
      process.kill(pid, 'SIGSTOP');
      try {
        await pauseForKey(pipeline.deps, key_id as string, 'key_revoked');
      } finally {
        // The bytes that the frozen process had already written count as sent.
        const before = slow.received.length;
        process.kill(pid, 'SIGCONT');
        const attempting = async () =>
          (await pipeline.outbox.status(source.accountId, [subscription_id]))[0]?.attempting;
        await until(async () => (await attempting()) === 0, { withinMs: 30_000, what: 'the turn has ended' });
        after += slow.received.length - before;
      }
      expect(slow.received.length).to.be.below(MESSAGES);
    }
    report(`${after} attempts`, ROUNDS);
    expect(after).to.equal(0);
  });

  it('get nothing after a pause that is repeated because the reply of Redis was lost (guarantee 10)', async () => {
    const source = await pipeline.addSource({ plan: 'unlimited' });
    const one = await receiver();
    const body = { target_url: one.url, events: ['*'] };
    const { subscription } = await pipeline.subscribe(source.accountId, body);
    const { subscription_id: id } = subscription;
    const { deps } = pipeline;
    const publish: typeof deps.subscriptionDirectory.publish = async (...args) => {
      await deps.subscriptionDirectory.publish(...args);
      throw new Error('the reply is lost');
    };
    const losing = { ...deps, subscriptionDirectory: { ...deps.subscriptionDirectory, publish } };
    const load = startEventLoad(source, () => pipeline.urls[0] as string);
    let after = 0;
    try {
      for (let round = 0; round < EDITS; round++) {
        const received = one.received.length;
        await until(() => one.received.length > received + 20, { what: 'messages leave' });
        const lost = await pauseByAdmin(losing, source.accountId, id).catch(({ message }: Error) => message);
        expect(lost).to.equal('the reply is lost');
        await pauseByAdmin(deps, source.accountId, id);
        const before = one.received.length;
        await sleep(SILENCE_MS);
        after += one.received.length - before;
        await resumeByAdmin(deps, source.accountId, id);
      }
    } finally {
      await load.stop();
    }
    report(`${after} attempts`, EDITS);
    expect(after).to.equal(0);
  });

  it("lose nothing under traffic by n8n's edit of a flow: DELETE, then POST (guarantee 8)", async () => {
    const source = await pipeline.addSource({ plan: 'unlimited' });
    const one = await receiver();
    const body = { target_url: one.url, events: ['*'] };
    const { subscription } = await pipeline.subscribe(source.accountId, body);
    const { key_id: keyId, subscription_id: subscriptionId } = subscription;
    const load = startEventLoad(source, () => pipeline.urls[0] as string);
    try {
      for (let edit = 0; edit < EDITS; edit++) {
        await load.more(10);
        const named = { accountId: source.accountId, keyId: keyId as string, subscriptionId };
        expect((await deleteByKey(pipeline.deps, named)).status).to.equal('deleted');
        await sleep(EDIT_MS);
        const again = await pipeline.subscribe(source.accountId, body, keyId);
        expect(again.subscription.subscription_id).to.equal(subscriptionId);
      }
    } finally {
      await load.stop();
    }
    await pipeline.logged(source, load.accepted());
    let violations: string[] = [];
    await until(
      async () => {
        violations = brokenDeliveries(one.received, await pipeline.events(source), { ordered: false });
        return violations.length === 0;
      },
      { withinMs: 30_000, what: 'all messages arrived' },
    ).catch(() => undefined);
    report(
      `${one.received.length} messages of ${load.accepted()} changes, ${violations.length} violations`,
      EDITS,
    );
    expect(violations).to.deep.equal([]);
  });
});
