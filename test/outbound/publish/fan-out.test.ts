import { messageBody } from '@sluice/contract/message/outbound-text';
import { changeLead, moveLead } from '@sluice/leads/change/change-lead';
import { eraseLead } from '@sluice/leads/change/erase-lead';
import type { PendingRecord } from '@sluice/store/pending/pending-record';
import { expect } from 'chai';
import { ACTOR, made, NOTHING_ELSE, newAccount, pendingIn, useLeads } from '../../leads/support.ts';
import { until } from '../../support/until.ts';
import { createOutbound, subscription } from './support/use-outbound.ts';

describe('fan-out', () => {
  const used = useLeads();
  const setUp = () => {
    const parts = createOutbound(used);
    return { ...parts, parts, deps: { ...used.deps, publisher: parts.publisher } };
  };
  const dying = () => ({ ...used.deps, publisher: { publishSoon: () => {} } });
  const pendingOf = async (accountId: string) =>
    (await pendingIn(used.store, 'leads')).filter(({ account_id }) => account_id === accountId);

  it('puts each change into the mailboxes of those subscriptions that asked for it, and clears it', async () => {
    const accountId = newAccount();
    const { parts, memory, publisher, deps } = setUp();
    parts.subscriptions = [
      subscription('sub_all'),
      subscription('sub_created', ['lead.created']),
      subscription('sub_events', ['event.created']),
      subscription('reply_1', ['*'], { kind: 'reply' }),
    ];
    const { lead_id } = await made(deps, accountId, { name: 'Ada' });
    await changeLead(deps, { accountId, leadId: lead_id, patch: { company: 'Acme' }, actor: ACTOR });
    await publisher.settled();
    expect(memory.kindsIn('sub_all')).to.deep.equal(['lead.created', 'lead.updated']);
    expect(memory.kindsIn('sub_created')).to.deep.equal(['lead.created']);
    expect(memory.kindsIn('sub_events')).to.deep.equal([]);
    expect(memory.kindsIn('reply_1')).to.deep.equal([]);
    expect(await pendingOf(accountId)).to.deep.equal([]);
    const [first] = memory.messagesIn('sub_all');
    const body = JSON.parse(messageBody(first?.messageId ?? '', first?.text ?? ''));
    expect(body).to.include({ id: first?.messageId, type: 'lead.created', account_id: accountId });
    expect(body.data).to.include({ id: lead_id, name: 'Ada' });
  });

  it('sends no message of a note, clears it, and sends the change after it', async () => {
    const accountId = newAccount();
    const { parts, memory, publisher, deps } = setUp();
    parts.subscriptions = [subscription('sub_all')];
    const { lead_id: leadId } = await made(deps, accountId, { name: 'Ada' });
    const noted = { accountId, leadId, stage: 'stg_new', note: 'Called', actor: ACTOR };
    expect(await moveLead(dying(), noted)).to.include({ status: 'changed' });
    await changeLead(deps, { accountId, leadId, patch: { company: 'Acme' }, actor: ACTOR });
    await publisher.settled();
    expect(memory.kindsIn('sub_all')).to.deep.equal(['lead.created', 'lead.updated']);
    expect(await pendingOf(accountId)).to.deep.equal([]);
    const { items } = await used.store.leadHistory.pageRows(leadId, { limit: 10 });
    expect(items.map(({ kind }) => kind)).to.deep.equal(['lead.updated', 'lead.noted', 'lead.created']);
  });

  it('stores nothing of a change that no subscription collects', async () => {
    const accountId = newAccount();
    const { parts, memory, publisher, deps } = setUp();
    parts.subscriptions = [subscription('sub_1', ['event.created'])];
    await made(deps, accountId, { name: 'Ada' });
    await publisher.settled();
    expect(memory.pushes).to.deep.equal([]);
    const query = { account_id: accountId, kind: 'lead.created', limit: 10 } as const;
    expect(await used.store.outboundChanges.newestChanges(query)).to.deep.equal([]);
    expect(await pendingOf(accountId)).to.deep.equal([]);
  });

  it('ends the replies of a channel without a reply URL, and no others', async () => {
    const accountId = newAccount();
    // These replies are in no record.
    const untold = { ...used.store.untold, withoutPublished: async (some: readonly PendingRecord[]) => some };
    const parts = createOutbound({ store: { ...used.store, untold } });
    const { memory, publisher } = parts;
    const reply = (id: string, channel_id: string) => ({
      ...({ sequence: 1, kind: 'conversation.reply', at: Date.now(), actor: ACTOR } as const),
      data: { id, conversation: { id: `conv_${id}`, channel_id } },
    });
    const tell = async (...changes: ReturnType<typeof reply>[]) => {
      for (const change of changes)
        publisher.publishSoon({
          ...{ collection: 'conversations', id: change.data.conversation.id, account_id: accountId },
          changes: [change],
        });
      await publisher.settled();
    };
    await tell(reply('cmsg_alone', 'chn_without'));
    expect(parts.failedReplies).to.deep.equal(['cmsg_alone']);
    parts.subscriptions = [
      subscription('sub_all'),
      subscription('reply_1', ['conversation.reply'], { kind: 'reply', filter: { channel_id: 'chn_with' } }),
    ];
    await memory.renewVersion(accountId);
    await tell(reply('cmsg_sent', 'chn_with'), reply('cmsg_failed', 'chn_without'));
    expect(parts.failedReplies).to.deep.equal(['cmsg_alone', 'cmsg_failed']);
    expect(memory.kindsIn('reply_1')).to.deep.equal(['conversation.reply']);
  });

  it('compares the filter of a subscription with the change', async () => {
    const accountId = newAccount();
    const { parts, memory, publisher, deps } = setUp();
    parts.subscriptions = [
      subscription('sub_new', ['*'], { filter: { stage: 'stg_new' } }),
      subscription('sub_won', ['*'], { filter: { stage: 'stg_won' } }),
    ];
    await made(deps, accountId, { name: 'Ada' });
    await publisher.settled();
    expect(memory.kindsIn('sub_new')).to.deep.equal(['lead.created']);
    expect(memory.kindsIn('sub_won')).to.deep.equal([]);
  });

  it('reads the subscriptions once for each version', async () => {
    const accountId = newAccount();
    const { parts, memory, publisher, deps } = setUp();
    parts.subscriptions = [subscription('sub_1')];
    for (const name of ['Ada', 'Ben', 'Cem']) {
      await made(deps, accountId, { name });
      await publisher.settled();
    }
    expect(parts.reads).to.equal(1);
    await memory.renewVersion(accountId);
    await made(deps, accountId, { name: 'Dan' });
    await publisher.settled();
    expect(parts.reads).to.equal(2);
  });

  it('decides again if the subscriptions change between its look and its push', async () => {
    const accountId = newAccount();
    const { parts, memory, publisher, deps } = setUp();
    parts.subscriptions = [subscription('sub_old')];
    memory.beforePush = async () => {
      memory.beforePush = async () => {};
      parts.subscriptions = [subscription('sub_new')];
      await memory.renewVersion(accountId);
    };
    await made(deps, accountId, { name: 'Ada' });
    await publisher.settled();
    expect(memory.kindsIn('sub_old')).to.deep.equal([]);
    expect(memory.kindsIn('sub_new')).to.deep.equal(['lead.created']);
  });

  it('lets a fenced account wait until its fence ends, and tells the others meanwhile', async () => {
    const [fenced, other] = [newAccount(), newAccount()];
    const { parts, memory, publisher, deps } = setUp();
    parts.subscriptions = [subscription('sub_1')];
    const version = memory.version.bind(memory);
    let isFenced = true;
    // A fence says when it ends at the latest. Its change is mostly published within milliseconds.
    memory.version = async (accountId) =>
      accountId === fenced && isFenced ? { status: 'fenced', waitMs: 15_000 } : version(accountId);
    await made(deps, fenced, { name: 'Fenced' });
    await made(deps, other, { name: 'Other' });
    await until(async () => (await pendingOf(other)).length === 0);
    expect(await pendingOf(fenced)).to.have.length(1);
    isFenced = false;
    await until(async () => (await pendingOf(fenced)).length === 0);
    await publisher.settled();
    expect(memory.kindsIn('sub_1')).to.have.length(2);
  });

  it('keeps changes while Redis is away, and tells them with the same message ids afterwards', async () => {
    const accountId = newAccount();
    const { parts, memory, publisher, deps } = setUp();
    parts.subscriptions = [subscription('sub_1')];
    memory.fail = new Error('Redis is away');
    await made(deps, accountId, { name: 'Ada' });
    await publisher.settled();
    expect(parts.errors).to.deep.equal([memory.fail]);
    expect(await pendingOf(accountId)).to.have.length(1);
    memory.fail = undefined;
    const records = await pendingOf(accountId);
    await publisher.publishNow(records);
    await publisher.publishNow(records);
    expect(memory.kindsIn('sub_1')).to.deep.equal(['lead.created']);
    expect(await pendingOf(accountId)).to.deep.equal([]);
  });

  it('keeps the order of changes for each of many subscriptions', async () => {
    const accountId = newAccount();
    const { parts, memory, publisher } = setUp();
    parts.subscriptions = Array.from({ length: 700 }, (_, i) => subscription(`sub_${i}`));
    const { lead_id: leadId } = await made(dying(), accountId, { name: 'Ada' });
    for (const company of ['A', 'B'])
      await changeLead(dying(), { accountId, leadId, patch: { company }, actor: ACTOR });
    await publisher.publishNow(await pendingOf(accountId));
    for (const id of ['sub_0', 'sub_699'])
      expect(memory.kindsIn(id)).to.deep.equal(['lead.created', 'lead.updated', 'lead.updated']);
  });

  it('pushes a change once that is in two records of a batch', async () => {
    const accountId = newAccount();
    const { parts, memory, publisher, deps } = setUp();
    parts.subscriptions = [subscription('sub_1')];
    // The second record has both changes, because the first one is not published yet.
    const { lead_id: leadId } = await made(dying(), accountId, { name: 'Ada' });
    const first = await pendingOf(accountId);
    await changeLead(dying(), { accountId, leadId, patch: { company: 'Acme' }, actor: ACTOR });
    for (const record of [...first, ...(await pendingOf(accountId))]) deps.publisher.publishSoon(record);
    await publisher.settled();
    const pushed = memory.pushes.flat().map(({ kind }) => kind);
    expect(pushed).to.deep.equal(['lead.created', 'lead.updated']);
    expect(await pendingOf(accountId)).to.deep.equal([]);
  });

  it('clears a change that can never be sent, reports it, and sends the others of its batch', async () => {
    const accountId = newAccount();
    const { parts, memory, publisher } = setUp();
    parts.subscriptions = [subscription('sub_1')];
    const poison = await made(dying(), accountId, { name: 'Poison' });
    await made(dying(), accountId, { name: 'Healthy' });
    const records = (await pendingOf(accountId)).map((record) =>
      record.id === poison.lead_id ? { ...record, texts: ['x'.repeat(2_000_000)] } : record,
    );
    await publisher.publishNow(records);
    expect(parts.unsendable.map(({ record_id }) => record_id)).to.deep.equal([poison.lead_id]);
    expect(memory.kindsIn('sub_1')).to.deep.equal(['lead.created']);
    expect(await pendingOf(accountId)).to.deep.equal([]);
  });

  it('lets nothing older leave after `lead.erased`', async () => {
    const accountId = newAccount();
    const { parts, memory, publisher, deps } = setUp();
    parts.subscriptions = [subscription('sub_1')];
    const { lead_id: leadId } = await made(deps, accountId, { name: 'Ada' });
    await publisher.settled();
    // Another process has read this change, and is about to push it when the lead is erased.
    await changeLead(dying(), { accountId, leadId, patch: { company: 'Acme' }, actor: ACTOR });
    const late = await pendingOf(accountId);
    memory.beforePush = async () => {
      memory.beforePush = async () => {};
      await eraseLead({ ...used.store, ...deps, ...NOTHING_ELSE }, { accountId, leadId, actor: ACTOR });
      await publisher.settled();
    };
    await publisher.publishNow(late);
    expect(memory.kindsIn('sub_1')).to.deep.equal(['lead.created', 'lead.erased']);
    const last = memory.messagesIn('sub_1').at(-1);
    expect(JSON.parse(messageBody('msg_1', last?.text ?? '')).data).to.deep.equal({ id: leadId });
    expect(memory.erased, 'the texts of what waits').to.have.length(2);
    const query = {
      account_id: accountId,
      kinds: ['lead.created', 'lead.updated', 'lead.erased'] as const,
      since: 0,
      limit: 10,
    };
    const left = await used.store.outboundChanges.pageChanges(query);
    expect(left.map(({ kind }) => kind)).to.deep.equal(['lead.erased']);
  });
});
