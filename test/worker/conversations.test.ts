import type { ConversationAction } from '@sluice/contract/conversation-action';
import { conversationId } from '@sluice/contract/conversation-id';
import { GROUP_VERSION } from '@sluice/contract/groups';
import { describeConversation } from '@sluice/conversations/describe-conversation';
import { expect } from 'chai';
import { createPipeline } from './support/in-process.ts';
import { openTestStores, type TestStores } from './support/stores.ts';

const START = 1_795_250_000_000_000;

describe('the worker: conversations', () => {
  let stores: TestStores;
  let channels = 0;
  before(async () => {
    stores = await openTestStores();
    await stores.store.ensureIndexes();
  });
  after(() => stores?.close());

  /** A new channel, and its actions as a job. */
  function newChannel() {
    channels += 1;
    const source_id = `chn_${channels}`;
    const id = conversationId(source_id, 'c');
    const group = (...actions: readonly (readonly [number, ConversationAction])[]) => ({
      v: GROUP_VERSION,
      group_id: `grp_${source_id}`,
      actions: actions.map(([n, action]) => ({
        delivery_id: `dlv_${source_id}_${n}`,
        request_id: `req_${n}`,
        source_id,
        account_id: 'acc_1',
        sequence: START + n,
        received_at: START / 1000,
        duplicate_of: null,
        action,
      })),
    });
    return { source_id, id, group };
  }

  const said = (external_id: string, text = 'Hello'): ConversationAction => ({
    kind: 'message',
    conversation: { external_id: 'c', subject: 'Prices' },
    message: { external_id, author: 'visitor', text },
  });
  const state = (kind: ConversationAction['kind']): ConversationAction => ({
    kind,
    conversation: { external_id: 'c' },
  });
  const textsOf = async (id: string) =>
    (await stores.store.conversationMessages.pageMessages(id, { descending: false, limit: 100 })).items.map(
      ({ text }) => text,
    );

  it('opens a conversation with its first message, and logs the delivery with its subject', async () => {
    const { source_id, id, group } = newChannel();
    const pipeline = createPipeline(stores);
    await pipeline.run(group([1, said('m1')]));
    const stored = await stores.store.conversations.findConversation(id);
    expect(stored && describeConversation(stored)).to.include({ id, status: 'open', subject: 'Prices' });
    const [row] = (await stores.deliveries(source_id)).values();
    expect(row).to.include({
      action: 'message',
      title: 'Prices',
      conversation_id: id,
      event_id: null,
      outcome: 'created',
    });
    expect(pipeline.told.flatMap(({ changes }) => changes.map(({ kind }) => kind))).to.deep.equal([
      'conversation.opened',
      'conversation.message_received',
    ]);
  });

  it('keeps the status, the messages and the changes the same when a job is repeated', async () => {
    const { id, group } = newChannel();
    const pipeline = createPipeline(stores);
    const job = group([1, said('m1')], [2, state('request_handoff')], [3, said('m2', 'Anyone?')]);
    await pipeline.run(job);
    const first = await stores.store.conversations.findConversation(id);
    await pipeline.run(job);
    expect(await stores.store.conversations.findConversation(id)).to.deep.equal(first);
    expect(await textsOf(id)).to.deep.equal(['Hello', 'Anyone?']);
    expect(pipeline.told).to.have.length(1);
  });

  it('stores the messages of a job that died after it wrote the conversation', async () => {
    const { id, group } = newChannel();
    const job = group([1, said('m1')]);
    let fails = true;
    const messages = {
      putMessages: async (some: Parameters<typeof stores.store.conversationMessages.putMessages>[0]) => {
        if (!fails) return stores.store.conversationMessages.putMessages(some);
        fails = false;
        throw new Error('died here');
      },
    };
    await createPipeline(stores, { messages }).run(job);
    await createPipeline(stores).run(job);
    expect(await textsOf(id)).to.deep.equal(['Hello']);
  });

  it('shows the newest version of a message once, at its first place', async () => {
    const { id, group } = newChannel();
    const pipeline = createPipeline(stores);
    await pipeline.run(group([5, said('m1', 'corrected')], [3, said('m2', 'second')]));
    await pipeline.run(group([1, said('m1', 'old')]));
    expect(await textsOf(id)).to.deep.equal(['corrected', 'second']);
  });

  it('tells the end of a handoff, the closing and the reopening by a newer message', async () => {
    const { id, group } = newChannel();
    const pipeline = createPipeline(stores);
    await pipeline.run(
      group([1, state('open')], [2, state('accept_handoff')], [3, state('close')], [4, said('m1')]),
    );
    expect(pipeline.told.flatMap(({ changes }) => changes.map(({ kind }) => kind))).to.deep.equal([
      'conversation.opened',
      'conversation.handoff_ended',
      'conversation.closed',
      'conversation.opened',
      'conversation.message_received',
    ]);
    const stored = await stores.store.conversations.findConversation(id);
    expect(stored && describeConversation(stored).status).to.equal('open');
  });

  it('loses and doubles nothing when eight workers fold the same conversation at once', async () => {
    const { id, group } = newChannel();
    const pipelines = Array.from({ length: 8 }, () => createPipeline(stores));
    const jobs = pipelines.map((_, n) => group([2 * n + 1, said(`a${n}`)], [2 * n + 2, said(`b${n}`)]));
    await Promise.all(pipelines.flatMap((one, n) => [one.run(jobs[n]), one.run(jobs[(n + 1) % 8])]));
    expect(await textsOf(id)).to.have.length(16);
    const told = pipelines.flatMap((one) => one.told.flatMap(({ changes }) => changes));
    expect(told.filter(({ kind }) => kind === 'conversation.message_received')).to.have.length(16);
    expect(told.filter(({ kind }) => kind === 'conversation.opened')).to.have.length(1);
  });

  it('pages through 1,000 messages in both directions, each once', async () => {
    const { id, group } = newChannel();
    const all = Array.from({ length: 1000 }, (_, n) => [n + 1, said(`m${n}`, String(n))] as const);
    for (let from = 0; from < all.length; from += 250)
      await createPipeline(stores).run(group(...all.slice(from, from + 250)));
    for (const descending of [false, true]) {
      const seen: string[] = [];
      let after: { sent_at: number; sequence: number; message_id: string } | undefined;
      for (let more = true; more; ) {
        const page = await stores.store.conversationMessages.pageMessages(id, {
          descending,
          limit: 130,
          ...(after && { after }),
        });
        seen.push(...page.items.map(({ text }) => text));
        const last = page.items.at(-1);
        after = last && { sent_at: last.sent_at, sequence: last.first, message_id: last.message_id };
        more = page.more;
      }
      const expected = all.map((_, n) => String(n));
      expect(seen).to.deep.equal(descending ? expected.reverse() : expected);
    }
  });
});
