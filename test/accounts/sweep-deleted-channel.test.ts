import { createAccount } from '@sluice/accounts/account/create-account';
import { createChannel } from '@sluice/accounts/sources/create-channel';
import { deleteSource } from '@sluice/accounts/sources/delete-source';
import { sweepDeletedSource } from '@sluice/accounts/sources/sweep-deleted-source';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import { expect } from 'chai';
import { applyActions, visitorSays } from '../support/conversations.ts';
import { created } from '../support/created.ts';
import { errorOf, type Installation, NOW, openInstallation } from './support.ts';

const MONTH = 31 * 86_400_000;

describe('the sweep after the deletion of a channel', () => {
  let here: Installation;
  beforeEach(async () => {
    here = await openInstallation();
  });
  afterEach(() => here?.close());

  /** A deleted channel with two conversations. */
  const deleted = async (what: 'keep' | 'delete') => {
    await createAccount(here.deps, { name: 'acc_1', accountId: 'acc_1' });
    const made = created(
      await createChannel(here.deps, {
        ...{ accountId: 'acc_1', name: 'Chat', replyUrl: 'https://chat.example.com/r' },
      }),
    );
    const { source_id: channelId, sealed_reply_secret: sealed } = made.channel;
    const channel = { accountId: 'acc_1', channelId, sealed };
    const says = (name: string) => applyActions(here.store, channel, [visitorSays(name, `I am ${name}`)]);
    const ids = [await says('ada'), await says('grace')];
    await applyActions(here.store, channel, [
      { kind: 'accept_handoff', conversation: { external_id: 'ada' } },
    ]);
    await deleteSource(here.deps, channel.channelId, what);
    const at = { now: NOW, published: [] as string[], erased: [] as string[] };
    const deps = {
      ...here.store,
      eraseMessages: async (account: string, some: readonly string[]) =>
        void at.erased.push(...some.map((id) => `${account} ${id}`)),
      enqueueActions: () => Promise.reject(new Error('conversations are not deleted by actions')),
      publishReply: async ({ source_id }: { source_id: string }) => void at.published.push(source_id),
      now: () => at.now,
    };
    const { conversations, conversationMessages: messages } = here.store;
    const left = async () => {
      const page = { sort: 'created_at', limit: 10 } as const;
      return (await conversations.pageConversations({ account_id: 'acc_1' }, page)).items.length;
    };
    const texts = async (id = '') =>
      (await messages.pageMessages(id, { descending: false, limit: 10 })).items.map(({ text }) => text);
    return { at, deps, channel, ids, says, left, texts };
  };

  it('removes conversations and messages, and what requests that were still waiting write later', async () => {
    const { at, deps, ids, says, left, texts } = await deleted('delete');
    expect(await sweepDeletedSource(deps)).to.equal(true);
    expect([await left(), await texts(ids[0])]).to.deep.equal([0, []]);
    await says('ada');
    expect([await left(), await texts(ids[0])], 'a message of a removed conversation').to.deep.equal([0, []]);
    const late = await says('late');
    expect([await left(), await texts(late)]).to.deep.equal([1, ['I am late']]);
    at.now += MINUTE_MS;
    expect(await sweepDeletedSource(deps)).to.equal(true);
    expect([await left(), await texts(late)]).to.deep.equal([0, []]);
  });

  it('erases messages to subscriptions about deleted conversations, also those of later requests', async () => {
    const { at, deps, ids, says } = await deleted('delete');
    await sweepDeletedSource(deps);
    expect(at.erased.sort()).to.deep.equal(ids.map((id) => `acc_1 ${id}`).sort());
    const late = await says('late');
    at.now += MINUTE_MS;
    await sweepDeletedSource(deps);
    expect(at.erased).to.include(`acc_1 ${late}`);
  });

  it('leaves no tombstone after the last sweep', async () => {
    const { at, deps, ids } = await deleted('delete');
    while (await sweepDeletedSource(deps)) at.now += MONTH;
    expect(await here.store.conversations.loadConversations(ids)).to.have.property('size', 0);
  });

  it('keeps conversations that are kept, and removes the reply URL in both cases', async () => {
    const { at, deps, channel, ids, left, texts } = await deleted('keep');
    expect(await sweepDeletedSource(deps)).to.equal(true);
    expect([await left(), await texts(ids[0])]).to.deep.equal([2, ['I am ada']]);
    expect(at.published).to.deep.equal([channel.channelId]);
  });

  it('ends replies that are still pending a minute later', async () => {
    const { at, deps, ids } = await deleted('keep');
    const { conversationMessages: messages } = here.store;
    const [id = ''] = ids;
    const [said] = (await messages.pageMessages(id, { descending: false, limit: 1 })).items;
    if (said === undefined) throw new Error('no message');
    const { updated_at: _, ...message } = said;
    const reply = { ...message, message_id: 'cmsg_reply', author: 'agent', delivery: 'pending' } as const;
    await messages.writeMessages([{ message: reply, before: undefined }]);
    const delivery = async () => (await messages.loadMessages(['cmsg_reply'])).get('cmsg_reply')?.delivery;
    await sweepDeletedSource(deps);
    expect(await delivery()).to.equal('pending');
    at.now += MINUTE_MS;
    await sweepDeletedSource(deps);
    expect(await delivery()).to.equal('failed');
  });

  it('lets the erasure of a lead find the removed conversations, for what subscribers have not got yet', async () => {
    const { deps, ids } = await deleted('delete');
    const [id = ''] = ids;
    const { conversations, conversationLinks, erasedTraces } = here.store;
    const revision = (await conversations.loadConversations([id])).get(id)?.revision ?? 0;
    await conversationLinks.endWait({ conversation_id: id, revision }, { lead_id: 'lead_1' });
    await sweepDeletedSource(deps);
    const linked = await erasedTraces.linkedConversations('acc_1', 'lead_1');
    expect(linked.map(({ conversation_id }) => conversation_id)).to.deep.equal([id]);
  });

  for (const [when, passed] of [
    ['', 0],
    [', also during the last sweep', MONTH],
  ] as const)
    it(`tries again a minute later if the process dies${when}`, async () => {
      const { at, deps, left } = await deleted('delete');
      at.now += passed;
      const dies = { ...deps, publishReply: () => Promise.reject(new Error('killed')) };
      expect(await errorOf(sweepDeletedSource(dies))).to.have.property('message', 'killed');
      at.now += MINUTE_MS;
      expect(await sweepDeletedSource(deps)).to.equal(true);
      expect(await left()).to.equal(0);
    });
});
