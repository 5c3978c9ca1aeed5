import type { MessageStatus } from '@sluice/contract/subscription/webhook-delivery';
import { newId } from '@sluice/credentials/ids';
import { pageChangedMessages } from '@sluice/outbound/subscriptions/read-messages';
import type { WebhookMessage } from '@sluice/store/outbound/webhook-message';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { expect } from 'chai';
import fc from 'fast-check';
import { sized } from '../../support/size.ts';
import { until } from '../../support/until.ts';
import { logged } from './support/messages.ts';
import { addKey, made, useSubscriptions } from './support.ts';

const RUNS = sized({ short: 8, middle: 100 });
/** The first attempt of a message, a further one, a resend that changes no status, an end, or an erasure. */
const kind = fc.constantFrom('first', 'again', 'resent', 'discard', 'erase');
const write = fc.record({ kind, which: fc.nat(20) });
const writes = fc.array(write, { maxLength: 4 });
type Write = typeof write extends fc.Arbitrary<infer One> ? One : never;

describe('a list of deliveries that is read page by page during writes', () => {
  const used = useSubscriptions();
  let first: Subscription;
  before(async () => {
    first = (await made(used, await addKey(used))).subscription;
  });

  /** The log of a subscription. Its records differ, so that an erasure is of one message. */
  function log() {
    const subscription = { ...first };
    const ids: string[] = [];
    const ended = new Set<string>();
    let attempts = 0;
    const row = (id: string, status: MessageStatus) => {
      const entry = { messageId: id, changeId: `change_${id}`, kind: 'lead.created', recordId: `lead_${id}` };
      return logged(subscription, { ...entry, number: ++attempts, pushedAt: 1000 }, status);
    };
    const { webhookMessages } = used.store;
    return {
      ids,
      /** Returns the id of the message that it changed; undefined: it changed none. */
      async write({ kind: what, which }: Write): Promise<string | undefined> {
        const known = ids[which % Math.max(1, ids.length)];
        if (what === 'first' || known === undefined) {
          const id = newId('sub');
          await webhookMessages.logAttempts([row(id, 'pending')]);
          ids.push(id);
          return id;
        }
        if (what === 'again' || what === 'resent') {
          const stays = what === 'resent' && { status_stays: true };
          await webhookMessages.logAttempts([{ ...row(known, 'pending'), ...stays }]);
          ended.delete(known);
          return known;
        }
        // Both end a message that waits. An erasure also removes its responses, and there are none.
        if (ended.has(known)) return undefined;
        const { account_id } = subscription;
        if (what === 'discard') await webhookMessages.logDiscarded([row(known, 'discarded')]);
        else await webhookMessages.eraseRecords(account_id, [`lead_${known}`]);
        ended.add(known);
        return known;
      },
    };
  }

  const pageOf = async (
    page: Pick<Parameters<typeof pageChangedMessages>[1], 'limit' | 'after' | 'updatedSince'>,
  ) => {
    const { account_id: accountId, subscription_id: subscriptionId } = first;
    const found = await pageChangedMessages(used.deps, {
      ...{ accountId, subscriptionId, descending: false, ...page },
    });
    if (found.status !== 'page') throw new Error(found.status);
    return found;
  };
  const empty = () => used.mongo.db.collection('webhook_messages').deleteMany({});

  it('shows each one that existed throughout at least once by ascending updated_at', async () => {
    const run = fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 8 }),
      fc.array(writes, { maxLength: 8 }),
      async (limit, count, between) => {
        await empty();
        const { ids, write: put } = log();
        for (let i = 0; i < count; i++) await put({ kind: 'first', which: 0 });
        const throughout = [...ids];
        const seen: string[] = [];
        let last: WebhookMessage | undefined;
        for (let page = 0; ; page++) {
          const after = last && { at: last.updated_at as number, id: last.message_id };
          const { messages, more } = await pageOf({ limit, after });
          seen.push(...messages.map(({ message_id }) => message_id));
          last = messages.at(-1);
          if (!more || last === undefined) break;
          for (const one of between[page] ?? []) await put(one);
        }
        expect(seen).to.include.members(throughout);
      },
    );
    await fc.assert(run, { numRuns: RUNS });
  }).timeout(120_000);

  it('has since an instant what has changed from then on, and nothing else', async () => {
    const run = fc.asyncProperty(fc.integer({ min: 1, max: 6 }), writes, async (count, later) => {
      await empty();
      const { write: put } = log();
      for (let i = 0; i < count; i++) await put({ kind: 'first', which: 0 });
      const since = Date.now() + 1;
      await until(() => Date.now() >= since);
      const changed = new Set<string>();
      for (const one of later) {
        const id = await put(one);
        if (id !== undefined) changed.add(id);
      }
      const { messages } = await pageOf({ limit: 100, updatedSince: since });
      expect(messages.map(({ message_id }) => message_id)).to.have.members([...changed]);
    });
    await fc.assert(run, { numRuns: RUNS });
  }).timeout(120_000);
});
