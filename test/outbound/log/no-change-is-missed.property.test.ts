import type { PendingChange } from '@sluice/contract/message/change';
import { createSubscriptionDirectory } from '@sluice/outbound/directory/subscription-directory';
import { createAccountLog } from '@sluice/outbound/log/account-log';
import { createLogReader } from '@sluice/outbound/log/log-reader';
import { createCursorTurns } from '@sluice/outbound/log/turns';
import { createPublishToLog } from '@sluice/outbound/publish/publish-to-log';
import { createSubscriptionLists } from '@sluice/outbound/publish/subscription-lists';
import { INITIAL_STATE } from '@sluice/outbound/queue/turn';
import { createShards } from '@sluice/redis/shards/shards';
import type { PendingRecord } from '@sluice/store/pending/pending-record';
import { expect } from 'chai';
import fc from 'fast-check';
import { useRedisClient } from '../../support/redis-client.ts';
import { uniqueNamespace } from '../../support/shared-redis.ts';
import { seed, sized } from '../../support/size.ts';
import { subscription } from '../directory/support/use-directory.ts';
import { type Step, step } from './support/log-step.ts';
import { MemoryCursors, MemoryLog } from './support/memory-log.ts';

const ACCOUNT = 'acc_1';
const SUBSCRIPTION = 'sub_1';

interface Publishing {
  goOn: () => void;
  /** Called when it waits to ask a store, and when it has ended. */
  parked: () => void;
}

describe('the log of an account: a subscription gets every change', () => {
  const redis = useRedisClient();

  /** An installation with two dispatchers, and as many publishing processes as the history begins. */
  async function createHistory() {
    const shards = createShards(uniqueNamespace(), 1);
    const keys = shards.first;
    const [memory, cursors] = [new MemoryLog(), new MemoryCursors()];
    const pending = new Map<string, PendingChange[]>();
    const delivered: { readonly record: string; readonly sequence: number }[] = [];
    const logged = new Set<string>();
    /** The publishing processes that wait to ask a store. */
    const waiting: Publishing[] = [];
    const directory = createSubscriptionDirectory({ redis, shards });
    const republish = () =>
      directory.republish(ACCOUNT, async () => ({
        ...{ put: [subscription()], lastNumber: await memory.lastNumber() },
      }));
    await republish();
    const made: string[] = [];
    let sequence = 0;
    let hadFault = false;
    let hadDeath = false;
    let isOrderPromised = true;

    const publish = async (own?: Publishing): Promise<void> => {
      const gate = async () => {
        if (own === undefined) return;
        waiting.push(own);
        await new Promise<void>((resolve) => {
          own.goOn = resolve;
          own.parked();
        });
      };
      const log = createAccountLog({ redis, shards });
      const publishing = createPublishToLog({
        lists: createSubscriptionLists({
          read: async () => [{ kind: 'webhook', events: ['*'], filter: {} }],
        }),
        log: {
          async register(...args) {
            await gate();
            return log.register(...args);
          },
          async giveUp(...args) {
            await gate();
            return log.giveUp(...args);
          },
          async confirm(...args) {
            await gate();
            return log.confirm(...args);
          },
        },
        outboundChanges: {
          async appendChanges(changes) {
            await gate();
            return memory.appendChanges(changes);
          },
          async numbersOf(ids) {
            await gate();
            return memory.numbersOf(ids);
          },
          async moveChanges(moves) {
            await gate();
            return memory.moveChanges(moves);
          },
        },
        withoutErased: async (records) => records,
        withoutPublished: async (records) =>
          records.flatMap((record) => {
            const changes = record.changes.filter((one) => pending.get(record.id)?.includes(one));
            return changes.length === 0 ? [] : [{ ...record, changes }];
          }),
        republish,
        failReplies: async () => {},
        onUnsendable: ({ reason }) => {
          throw new Error(reason);
        },
      });
      const records = [...pending].flatMap(([id, changes]): PendingRecord[] =>
        changes.length === 0 ? [] : [{ collection: 'leads', id, account_id: ACCOUNT, changes: [...changes] }],
      );
      if (records.length === 0) return;
      const published = await publishing(ACCOUNT, records);
      if (published.status === 'fenced') return;
      await gate();
      for (const { id, changes } of records)
        pending.set(
          id,
          (pending.get(id) ?? []).filter((one) => !changes.includes(one)),
        );
    };

    /** Resolves once the process asks a store again, or has ended. */
    const run = async (own: Publishing, begin: () => void): Promise<void> => {
      const parked = new Promise<void>((resolve) => {
        own.parked = resolve;
      });
      begin();
      await parked;
    };
    const failures: unknown[] = [];
    const start = async () => {
      const own: Publishing = { goOn: () => {}, parked: () => {} };
      await run(own, () => {
        publish(own)
          .catch((error: unknown) => failures.push(error))
          .finally(() => own.parked());
      });
    };
    const take = (which: number) => waiting.splice(which % Math.max(1, waiting.length), 1)[0];

    const dispatchers = [0, 1].map(() =>
      createCursorTurns({
        ...{ redis, shards, cursors, reader: createLogReader({ outboundChanges: memory }), now: Date.now },
        onUnpublished: () => {},
        onError: () => {},
        requests: {
          findRequests: async () => [],
          postponeRequest: async () => {},
          removeRequests: async () => {},
        },
        messages: {
          findMessages: async (_, ids) =>
            new Map(
              ids
                .filter((id) => logged.has(id))
                .map((id) => [id, { message_id: id, status: 'delivered' as const }]),
            ),
          waitingMessages: async () => [],
          firstDue: async () => null,
          countPending: async () => 0,
          waitingByRecord: async () => new Map(),
          addWaiting: async () => {},
          makeDue: async () => {},
          endWithoutText: async () => {},
        },
      }),
    );
    const turn = async ({ by, most, dies, logged: count }: Step & { do: 'turn' }): Promise<boolean> => {
      const dispatcher = dispatchers[by] as (typeof dispatchers)[number];
      const [claimed] = await dispatcher.claim({ shard: 0, limit: 1, perTurn: most });
      if (claimed === undefined) return false;
      let { entries } = claimed;
      for (let round = 0; round < 100; round++) {
        for (const { recordId, text } of entries)
          delivered.push({ record: recordId, sequence: JSON.parse(`{${text}`).sequence });
        for (const { messageId } of dies ? entries.slice(0, count) : entries) logged.add(messageId);
        if (dies) {
          hadFault = true;
          await redis.zadd(keys.cursors, '0', SUBSCRIPTION);
          return true;
        }
        const results = entries.map(({ number }) => ({ number, outcome: 'done' as const }));
        const more = round === 0 ? 0 : most;
        const settled = await dispatcher.settle(claimed, { results, state: INITIAL_STATE, more });
        if (settled.status !== 'go_on') return true;
        entries = settled.entries;
      }
      throw new Error('the turn does not end');
    };

    const giveUp = async () => {
      for (const batch of await redis.zrange(keys.openBatches(ACCOUNT), '0', '-1')) {
        hadFault = true;
        await redis.zadd(keys.openBatches(ACCOUNT), '0', batch);
      }
    };

    return {
      delivered,
      hadFault: () => hadFault || hadDeath,
      isOrderPromised: () => isOrderPromised,
      made: () => made,
      async play(one: Step): Promise<void> {
        switch (one.do) {
          case 'change': {
            sequence += 1;
            made.push(`${one.record} ${sequence}`);
            const change = {
              ...{ sequence, kind: 'lead.updated', at: 1_790_000_000_000, data: { id: one.record } },
              actor: { type: 'system', id: 'test' },
            } as PendingChange;
            pending.set(one.record, [...(pending.get(one.record) ?? []), change]);
            return;
          }
          case 'publish':
            return start();
          case 'go_on': {
            const own = take(one.which);
            return own && run(own, own.goOn);
          }
          case 'die':
            if (take(one.which) !== undefined) hadDeath = true;
            return;
          case 'give_up':
            return giveUp();
          case 'new_run':
            hadFault = true;
            // A process that has registered before publishes again, or another one does so for it.
            isOrderPromised &&= waiting.length === 0 && !hadDeath;
            await redis.hset(keys.accountLog(ACCOUNT), { run: 'another' });
            return;
          case 'turn':
            await turn(one);
        }
      },
      /** Every process that lives ends its work, the sweeper publishes what is left, and a dispatcher sends it. */
      async end(): Promise<void> {
        // Others would wait for ten seconds for the batch of one that has died.
        if (hadDeath) await giveUp();
        for (let own = waiting.shift(); own !== undefined; own = waiting.shift()) await run(own, own.goOn);
        if (failures.length > 0) throw failures[0];
        await giveUp();
        await publish();
        await redis.zadd(keys.cursors, '0', SUBSCRIPTION);
        while (await turn({ do: 'turn', by: 0, most: 5, dies: false, logged: 0 }));
      },
    };
  }

  it('at least once, in the order of each record, and once where nothing has died', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 80, size: 'max' }), async (steps) => {
        const history = await createHistory();
        for (const one of steps) await history.play(one);
        const wasFault = history.hadFault();
        await history.end();
        const names = history.delivered.map(({ record, sequence }) => `${record} ${sequence}`);
        expect([...new Set(names)].sort()).to.deep.equal([...history.made()].sort());
        // Not promised if Redis loses what it knows while a change is published.
        for (const record of history.isOrderPromised() ? ['lead_a', 'lead_b'] : []) {
          const own = history.delivered.filter((one) => one.record === record);
          const first = [...new Set(own.map(({ sequence }) => sequence))];
          expect(first, `the order of ${record}`).to.deep.equal([...first].sort((a, b) => a - b));
        }
        if (!wasFault && !history.hadFault()) expect(names).to.deep.equal([...new Set(names)]);
      }),
      { numRuns: sized({ short: 60, middle: 300, long: 3_000 }), seed },
    ));
});
