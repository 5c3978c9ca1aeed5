import { changeId, messageId } from '@sluice/contract/message/outbound-ids';
import { newId } from '@sluice/credentials/ids';
import { pauseByAdmin, resumeByAdmin } from '@sluice/outbound/subscriptions/change-subscription';
import { pageMessages } from '@sluice/outbound/subscriptions/read-messages';
import { redeliverMessage } from '@sluice/outbound/subscriptions/redeliver-message';
import { readHealth } from '@sluice/outbound/subscriptions/subscription-health';
import type { AttemptRow } from '@sluice/store/outbound/webhook-message';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { expect } from 'chai';
import { appendLeads, logged, publishAll, storeChange } from './support/messages.ts';
import { addKey, made, useSubscriptions } from './support.ts';

describe('subscriptions: their messages', () => {
  const used = useSubscriptions();

  const asked = ({ account_id, subscription_id, key_id }: Subscription) => ({
    ...{ accountId: account_id, subscriptionId: subscription_id, keyId: key_id ?? undefined },
  });

  /** All pages. */
  async function listed(subscription: Subscription, limit: number, status?: 'pending' | 'failed') {
    const found = [];
    let cursor: { created_at: number; message_id: string } | undefined;
    for (let pages = 0; pages < 100; pages++) {
      const page = await pageMessages(used.deps, { ...asked(subscription), status, cursor, limit });
      if (page.status !== 'page') throw new Error(page.status);
      expect(page.messages.length).to.be.at.most(limit);
      found.push(...page.messages);
      if (page.next === null) return found;
      cursor = page.next;
    }
    throw new Error('the list has no end');
  }

  for (const ordered of [false, true])
    it(`lists the log and what waits as one, newest first, each message once (ordered: ${ordered})`, async () => {
      const key = await addKey(used);
      const { subscription } = await made(used, key, { ordered });
      await publishAll(used, key.account_id);
      const ids = await appendLeads(used, subscription, 30, (n) => `lead_${n % 3}`);
      // The first is delivered, the second waits for its retry, and another was just logged but not yet settled.
      const [turn] = await used.turns.claim({ shard: 0, limit: 1, perTurn: 3 });
      if (turn === undefined) throw new Error('nothing is due');
      const rows: AttemptRow[] = turn.entries.map((entry, index) =>
        logged(subscription, entry, index === 0 ? 'delivered' : 'pending'),
      );
      await used.store.webhookMessages.logAttempts(rows);
      const [done, again] = turn.entries.map(({ number }) => number) as [number, number];
      await used.turns.settle(turn, {
        results: [
          { number: done, outcome: 'done' },
          { number: again, outcome: 'again', dueAt: Date.now() + 60_000 },
        ],
        ...{ state: turn.state, more: 0 },
      });
      for (const limit of [1, 7, 200]) {
        const messages = await listed(subscription, limit);
        expect(messages.map(({ message_id }) => message_id).sort()).to.deep.equal([...ids].sort());
        const places = messages.map(({ created_at, message_id }) => `${created_at} ${message_id}`);
        expect(places).to.deep.equal([...places].sort().reverse());
      }
      const pending = await listed(subscription, 5, 'pending');
      expect(pending).to.have.length(29);
      expect(pending.filter(({ attempts }) => attempts.length > 0)).to.have.length(2);
      expect(await listed(subscription, 5, 'failed')).to.deep.equal([]);
    });

  it('tells of a message that waits without an attempt when it is due', async () => {
    const key = await addKey(used);
    const { subscription } = await made(used, key);
    await publishAll(used, key.account_id);
    const before = Date.now();
    await appendLeads(used, subscription, 1);
    const [message] = await listed(subscription, 10);
    expect(message).to.deep.include({ status: 'pending', attempts: [], kind: 'lead.created' });
    expect(message?.next_attempt_at).to.be.within(before - 1000, Date.now() + 1000);
  });

  it('queues a message again, and says why it cannot', async () => {
    const key = await addKey(used);
    const { subscription } = await made(used, key);
    await publishAll(used, key.account_id);
    const { change_id } = await storeChange(used, subscription, 1);
    const stored = { changeId: change_id, messageId: messageId(change_id, subscription.subscription_id) };
    const gone = { changeId: changeId('lead_2', 1, 'lead.created'), messageId: 'msg_gone' };
    const rest = { kind: 'lead.created', recordId: 'lead_1', number: 1, pushedAt: Date.now() };
    const tested = { ...gone, messageId: 'msg_test', kind: 'webhook.test' };
    const rows = [stored, gone, tested].map((one) => logged(subscription, { ...rest, ...one }, 'failed'));
    await used.store.webhookMessages.logAttempts(rows);
    const redeliver = async (id: string) =>
      (await redeliverMessage(used.deps, { ...asked(subscription), messageId: id })).status;
    expect(await redeliver(stored.messageId)).to.equal('queued');
    const turns = await used.turns.claim({ shard: 0, limit: 50, perTurn: 10 });
    const turn = turns.find(({ accountId }) => accountId === key.account_id);
    expect(turn?.entries).to.have.length(1);
    expect(turn?.entries[0]).to.include({ ...stored, redelivery: true, attempts: 0 });
    const leaves = async () => {
      const asAdmin = { accountId: key.account_id, subscriptionId: subscription.subscription_id };
      const redelivered = await redeliverMessage(used.deps, { ...asAdmin, messageId: stored.messageId });
      return redelivered.status === 'queued' ? redelivered.leaves : redelivered.status;
    };
    expect(await leaves()).to.equal('now');
    await pauseByAdmin(used.deps, key.account_id, subscription.subscription_id);
    expect(await leaves()).to.equal('once_active');
    await resumeByAdmin(used.deps, key.account_id, subscription.subscription_id);
    expect(await redeliver('msg_none')).to.equal('no_message');
    expect(await redeliver('msg_gone')).to.equal('gone');
    expect(await redeliver('msg_test')).to.equal('test');
    const taken = await made(used, await addKey(used, key.account_id));
    const again = { ...asked(taken.subscription), messageId: stored.messageId };
    expect((await redeliverMessage(used.deps, again)).status).to.equal('before_takeover');
    const { keyId: _, ...asAdmin } = again;
    expect((await redeliverMessage(used.deps, asAdmin)).status).to.equal('before_takeover');
  });

  it('reads the health of receivers from the attempts of the last 24 hours', async () => {
    const key = await addKey(used);
    const { subscription } = await made(used, key);
    const { account_id, subscription_id } = subscription;
    await publishAll(used, account_id);
    const unknown = newId('sub');
    const health = () => readHealth(used.deps, account_id, [subscription_id, unknown]);
    const none = { success_ratio: null, p95_ms: null, last_attempt_at: null, failed: 0, last_failure: null };
    expect([...(await health()).values()]).to.deep.equal([
      { waiting: 0, attempting: 0, next_attempt_at: null, retrying_since: null, ...none },
      { waiting: 0, attempting: 0, next_attempt_at: null, retrying_since: null, ...none },
    ]);
    await appendLeads(used, subscription, 2);
    const row = (n: number, at: number, duration_ms: number, code = 'delivered') => {
      const entry = { changeId: `c${n}`, messageId: newId('sub'), kind: 'lead.created', recordId: 'lead_1' };
      const base = logged(subscription, { ...entry, number: n, pushedAt: at }, 'delivered');
      return { ...base, attempt: { ...base.attempt, at, duration_ms, code, sentence: `Attempt ${n}` } };
    };
    const now = Date.now();
    const recent = Array.from({ length: 20 }, (_, n) =>
      row(n, now - n, 10 * (n + 1), n < 5 ? 'timeout' : undefined),
    );
    const failed = row(98, now - 1, 9999, 'timeout');
    const resent = { ...failed, attempt: { ...failed.attempt, redelivery: true } };
    await used.store.webhookMessages.logAttempts([
      ...[...recent, row(99, now - 90_000_000, 9999, 'timeout'), resent],
    ]);
    const found = (await health()).get(subscription_id);
    expect(found).to.deep.include({ waiting: 2, success_ratio: 0.75, p95_ms: 190, last_attempt_at: now });
    expect(found).to.deep.include({ failed: 5, last_failure: 'Attempt 0' });
    expect(found?.next_attempt_at).to.be.a('number');
  });
});
