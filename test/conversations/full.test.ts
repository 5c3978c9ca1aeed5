import { type ApplyDeps, applyConversations } from '@sluice/conversations/apply-conversations';
import { reply } from '@sluice/conversations/enqueue-and-apply';
import { type Admitted, conversationIdOf } from '@sluice/conversations/fold-conversation';
import { createRaceBackoff } from '@sluice/runtime/timing/backoff';
import { toStoredChange } from '@sluice/store/pending/stored-change';
import { expect } from 'chai';
import { useStore } from '../store/support.ts';

/** MongoDB stores 16 MiB in one document. This leaves some room. */
const MOST_BYTES = 15 * 2 ** 20;
let sequences = 1_795_000_000_000_000;

function admitted(external_id: string, action: Partial<Admitted['action']>): Admitted {
  sequences += 1000;
  return {
    account_id: 'acc_1',
    source_id: 'chn_1',
    sequence: sequences,
    received_at: sequences / 1000,
    action: { kind: 'message', ...action, conversation: { external_id, ...action.conversation } },
  };
}
const say = (external_id: string, id: string) =>
  admitted(external_id, { message: { external_id: id, author: 'visitor', text: id } });
/** An `open` with as much session data as docs/limits.md allows, so that each change has 200 KB; and messages. */
function sayMuch(external_id: string, count: number): Admitted[] {
  const session = Array.from({ length: 50 }, (_, n): [string, string] => [`value ${n}`, '🎪'.repeat(1000)]);
  const opened = admitted(external_id, { kind: 'open', conversation: { external_id, session } });
  return [opened, ...Array.from({ length: count }, (_, n) => say(external_id, `m${n}`))];
}

describe('conversations: changes that cannot be published', () => {
  const used = useStore();
  let deps: ApplyDeps;
  beforeEach(() => {
    deps = {
      ...{ ...used.store, tell: () => undefined, linkSoon: () => undefined },
      ...{ backoff: createRaceBackoff(), now: Date.now },
    };
  });

  const pendingOf = async (id: string) =>
    (await used.store.conversations.findConversation('acc_1', id))?.untold ?? [];
  /** Gives a conversation as many changes that are not published yet as it may have. */
  async function fill(id: string): Promise<void> {
    const changes = Array.from({ length: 9 }, (_, n) =>
      toStoredChange({
        ...{ sequence: n + 1, kind: 'conversation.closed', at: Date.now() },
        ...{ actor: { type: 'system', id: 'test' }, data: { text: 'x'.repeat(2 ** 20) } },
      }),
    );
    const stored = used.mongo.db.collection<{ _id: string }>('conversations');
    await stored.updateOne({ _id: id }, { $set: { untold: changes } });
  }
  /** Publishes what a conversation keeps. Returns the messages of it, by their ids of the channel. */
  async function tell(id: string): Promise<string[]> {
    const changes = await pendingOf(id);
    if (changes.length > 0)
      await used.store.untold.clearPublished([
        { collection: 'conversations', id, account_id: 'acc_1', changes },
      ]);
    return changes.flatMap(({ kind, data }) =>
      kind === 'conversation.message_received' ? [String(data.external_id)] : [],
    );
  }

  it('wait for a while if they are too large for one document, and are published once each, in order', async () => {
    const burst = sayMuch('burst', 60);
    const id = conversationIdOf(burst[0] as Admitted);
    let largest = 0;
    const measured: ApplyDeps = {
      ...deps,
      conversations: {
        ...used.store.conversations,
        async writeConversation(one, changes) {
          const after = await used.store.conversations.writeConversation(one, changes);
          largest = Math.max(largest, Buffer.byteLength(JSON.stringify(after)));
          return after;
        },
      },
    };
    const told: string[] = [];
    const rounds: number[] = [];
    for (let waiting = burst.length; waiting > 0; told.push(...(await tell(id)))) {
      const results = await applyConversations(measured, burst);
      const left = results.filter(({ outcome }) => outcome === 'waits').length;
      expect(left, 'each round gets on').to.be.below(waiting);
      waiting = left;
      rounds.push(left);
    }
    expect(largest).to.be.within(1, MOST_BYTES);
    expect(rounds.length, `${rounds}`).to.be.within(2, 6);
    expect(told).to.deep.equal(burst.slice(1).map(({ action }) => action.message?.external_id));
    const { items } = await used.store.conversationMessages.pageMessages(id, {
      descending: false,
      limit: 500,
    });
    expect(items).to.have.length(60);
  });

  it('leave actions that change nothing unhindered, and no audit entry of one that waits', async () => {
    const first = admitted('audited', { kind: 'open' });
    const id = conversationIdOf(first);
    await applyConversations(deps, [first]);
    await fill(id);
    expect((await applyConversations(deps, [say('audited', 'm')]))[0]?.outcome).to.equal('waits');
    expect((await applyConversations(deps, [first]))[0]?.outcome).to.equal('created');

    const doer = { actor: { user_id: 'usr_1', email: 'ada@example.com' }, address: '192.0.2.7' };
    const by = { type: 'member', id: 'usr_1', name: 'Ada' } as const;
    const message = { external_id: 'r', author: 'agent', text: 'Hi', reply: true } as const;
    const reply = admitted('audited', { message, by, doer });
    const entries = async () =>
      (await used.store.auditLog.pageEntries({ account_id: 'acc_1', limit: 10 })).items.length;
    expect((await applyConversations(deps, [reply]))[0]?.outcome).to.equal('waits');
    expect(await entries()).to.equal(0);
    await tell(id);
    expect((await applyConversations(deps, [reply]))[0]?.message?.text).to.equal('Hi');
    expect(await entries()).to.equal(1);
  });

  it('make a reply of an agent wait: the agent learns that it is stored, and it is applied later', async () => {
    const accepted = admitted('agent', { kind: 'accept_handoff' });
    const id = conversationIdOf(accepted);
    await applyConversations(deps, [accepted]);
    await fill(id);
    const stored: Admitted[] = [];
    const replied = await reply(
      {
        ...{ ...deps, ...used.store },
        async enqueueActions(_, wanted) {
          stored.push(...wanted.map(({ action }) => admitted('agent', action)));
          return stored.map(({ sequence, received_at }) => ({ outcome: 'enqueued', sequence, received_at }));
        },
      },
      {
        ...{ accountId: 'acc_1', conversationId: id, text: 'We are open.', authorName: null },
        ...{ externalId: 'r', by: { type: 'member', id: 'usr_1', name: 'Ada' } },
      },
    );
    expect(replied).to.have.nested.property('refusal.code', 'unavailable');
    expect(replied).to.have.nested.property('refusal.detail').that.contains('The action is stored');
    await tell(id);
    expect((await applyConversations(deps, stored))[0]?.message?.text).to.equal('We are open.');
  });

  it('keep the messages of a burst once, also if the process dies between its two writes', async () => {
    const burst = Array.from({ length: 180 }, (_, n) => say('killed', `m${n}`));
    const id = conversationIdOf(burst[0] as Admitted);
    const dying: ApplyDeps = {
      ...deps,
      conversationMessages: {
        ...used.store.conversationMessages,
        writeMessages: () => Promise.reject(new Error('killed')),
      },
    };
    const failure = await applyConversations(dying, burst).catch((error: Error) => error.message);
    expect(failure).to.equal('killed');
    await applyConversations(deps, burst);
    expect(await tell(id)).to.deep.equal(burst.map(({ action }) => action.message?.external_id));
  });
});
