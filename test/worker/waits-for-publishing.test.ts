import type { Delivery } from '@sluice/contract/delivery/delivery';
import { type AdmittedConversation, GROUP_VERSION } from '@sluice/contract/delivery/groups';
import { conversationIdOf } from '@sluice/conversations/fold-conversation';
import type { Handled } from '@sluice/queue/consumer-worker';
import { createRaceBackoff } from '@sluice/runtime/timing/backoff';
import { expect } from 'chai';
import { type ApplyChannels, createApplyChannels } from '../../services/worker/src/apply/apply-channels.ts';
import { createSource, groupOf, upsert } from './support/groups.ts';
import { createPipeline } from './support/in-process.ts';
import { useTestStores } from './support/stores.ts';

describe('worker: a conversation whose changes cannot be published', () => {
  const stores = useTestStores();

  function createChannel() {
    const source = createSource();
    const admit = (
      external_id: string,
      text: string,
      session?: [string, string][],
    ): AdmittedConversation => ({
      ...source.admit(upsert('unused', 'free')),
      action: {
        kind: 'message',
        conversation: { external_id, ...(session && { session }) },
        message: { external_id: text, author: 'visitor', text },
      },
    });
    return { ...source, admit };
  }

  /** Returns the group that remains after a part was applied. */
  function restOf(handled: Handled) {
    if (typeof handled !== 'object') throw new Error(`the group is ${handled}`);
    return handled.rest as { readonly actions: readonly unknown[] };
  }

  it('holds up no other action, and its actions are applied and logged once when it has told', async () => {
    const { store } = stores;
    const channel = createChannel();
    const session = Array.from({ length: 50 }, (_, n): [string, string] => [`value ${n}`, '🎪'.repeat(1000)]);
    const much = Array.from({ length: 60 }, (_, n) => channel.admit('full', `m${n}`, session));
    const id = conversationIdOf(much[0] as AdmittedConversation);
    const rows: Delivery[] = [];
    const log = {
      ...store.deliveries,
      insertDeliveries: async (some: readonly Delivery[]) => {
        rows.push(...some);
        await store.deliveries.insertDeliveries(some);
      },
    };
    const applyChannels = createApplyChannels(
      {
        ...{ ...store, tell: () => undefined, linkSoon: () => undefined },
        ...{ backoff: createRaceBackoff(), now: Date.now },
      },
      (error) => {
        throw error;
      },
    );
    const pipeline = createPipeline(stores, { log, applyChannels });
    const group = (actions: readonly unknown[]) => ({ ...groupOf(), v: GROUP_VERSION, actions });

    const first = restOf(await pipeline.run(group(much)));
    const applied = much.length - first.actions.length;
    expect(applied).to.be.within(1, much.length - 1);
    expect(first.actions, 'the last ones, in their order').to.deep.equal(much.slice(applied));
    const [waiting, other] = [channel.admit('full', 'late'), channel.admit('other', 'hello')];
    const event = channel.admit('unused', 'unused');
    const yoga = { ...event, action: upsert('Yoga', 'free') };
    const mixed = group([other, waiting, yoga]);
    const outcomes = async () => {
      const logged = await stores.deliveries(channel.source_id);
      return [waiting, other, yoga].map(({ delivery_id }) => logged.get(delivery_id)?.outcome);
    };
    const rest = restOf(await pipeline.run(mixed));
    expect(rest).to.deep.equal({ ...mixed, actions: [waiting] });
    expect(await pipeline.run(rest), 'all that is left waits').to.equal('put_off');
    expect(await outcomes()).to.deep.equal([undefined, 'created', 'created']);
    expect(pipeline.waits.at(-1)).to.deep.equal({
      ...{ group_id: mixed.group_id, recordIds: [id], actions: 1 },
    });
    const finished = () => pipeline.done.map(({ outcomes: all }) => all.length);
    expect(finished()).to.deep.equal([applied, 2]);

    const { untold: changes, account_id } = (await store.conversations.loadConversations([id])).get(id) ?? {};
    if (changes === undefined || account_id === undefined) throw new Error('not stored');
    await store.untold.clearPublished([{ collection: 'conversations', id, account_id, changes }]);
    expect(await pipeline.run(first)).to.equal('done');
    expect(await pipeline.run(rest)).to.equal('done');
    expect(await outcomes()).to.deep.equal(['updated', 'created', 'created']);
    expect(finished()).to.deep.equal([applied, 2, much.length - applied, 1]);
    const ids = rows.map(({ delivery_id }) => delivery_id);
    expect(new Set(ids).size, 'each row is counted once').to.equal(ids.length);
  });

  it('names its sources each time it is put off, so that they can be held', async () => {
    const channel = createChannel();
    const applyChannels: ApplyChannels = async (actions) =>
      new Map(actions.map((action) => [action, { conversation_id: 'cnv_full', outcome: 'waits' }]));
    const held: unknown[] = [];
    const pipeline = createPipeline(stores, { applyChannels, holdSources: (all) => void held.push(all) });
    const waiting = channel.admit('full', 'late');
    const event = { ...channel.admit('unused', 'unused'), action: upsert('Yoga', 'free') };
    const mixed = { ...groupOf(), v: GROUP_VERSION, actions: [waiting, event] };
    const rest = restOf(await pipeline.run(mixed));
    expect(await pipeline.run(rest)).to.equal('put_off');
    expect(held).to.deep.equal([[waiting], [waiting]]);
  });

  it('keeps the failures of its group as dead letters at once', async () => {
    const channel = createChannel();
    const applyChannels: ApplyChannels = async (actions) =>
      new Map(actions.map((action) => [action, { conversation_id: 'cnv_full', outcome: 'waits' }]));
    const pipeline = createPipeline(stores, { applyChannels });
    const waiting = channel.admit('full', 'late');
    const unreadable = { ...channel.admit('unused', 'unused'), action: { kind: 'unknown' } };
    const mixed = { ...groupOf(), v: GROUP_VERSION, actions: [unreadable, waiting] };
    expect(restOf(await pipeline.run(mixed)).actions).to.deep.equal([waiting]);
    expect(await stores.deadLetters.get(unreadable.delivery_id)).to.deep.include({ action: unreadable });
    const logged = await stores.deliveries(channel.source_id);
    expect([...logged].map(([id, { outcome }]) => [id, outcome])).to.deep.equal([
      [unreadable.delivery_id, 'failed'],
    ]);
  });
});
