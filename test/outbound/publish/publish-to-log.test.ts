import { messageBody } from '@sluice/contract/message/outbound-text';
import { changeLead, moveLead } from '@sluice/leads/change/change-lead';
import { eraseLead } from '@sluice/leads/change/erase-lead';
import type { PendingRecord } from '@sluice/store/pending/pending-record';
import { expect } from 'chai';
import { ACTOR, made, NOTHING_ELSE, newAccount, pendingIn, useLeads } from '../../leads/support.ts';
import { until } from '../../support/until.ts';
import { type Publishing, subscription, usePublishing } from './support/use-publishing.ts';

describe('publishing to the log of an account', () => {
  const used = useLeads();
  const publishing = usePublishing();
  const setUp = () => {
    const parts = publishing.start(used.store);
    parts.subscriptions = [subscription('sub_1')];
    return { ...parts, parts, deps: { ...used.deps, publisher: parts.publisher } };
  };
  const dying = () => ({ ...used.deps, publisher: { publishSoon: () => {} } });
  const pendingOf = async (accountId: string) =>
    (await pendingIn(used.store, 'leads')).filter(({ account_id }) => account_id === accountId);
  const kindsOf = async ({ logOf }: Publishing, accountId: string) =>
    (await logOf(accountId)).map(({ kind }) => kind);
  const erase = (deps: Parameters<typeof made>[0], accountId: string, leadId: string) =>
    eraseLead({ ...used.store, ...deps, ...NOTHING_ELSE }, { accountId, leadId, actor: ACTOR });

  it('appends each change once, however many subscriptions want it, and clears it', async () => {
    const accountId = newAccount();
    const { parts, publisher, deps } = setUp();
    parts.subscriptions = [subscription('sub_1'), subscription('sub_2', ['lead.created'])];
    const { lead_id } = await made(deps, accountId, { name: 'Ada' });
    await changeLead(deps, { accountId, leadId: lead_id, patch: { company: 'Acme' }, actor: ACTOR });
    await publisher.settled();
    const log = await parts.logOf(accountId);
    expect(log.map(({ kind }) => kind)).to.deep.equal(['lead.created', 'lead.updated']);
    expect(await pendingOf(accountId)).to.deep.equal([]);
    const body = JSON.parse(messageBody('msg_1', log[0]?.text ?? ''));
    expect(body).to.include({ type: 'lead.created', account_id: accountId });
    expect(body.data).to.include({ id: lead_id, name: 'Ada' });
  });

  it('appends no note, clears it, and appends the change after it', async () => {
    const accountId = newAccount();
    const { parts, publisher, deps } = setUp();
    const { lead_id: leadId } = await made(deps, accountId, { name: 'Ada' });
    const noted = { accountId, leadId, stage: 'stg_new', note: 'Called', actor: ACTOR };
    expect(await moveLead(dying(), noted)).to.include({ status: 'changed' });
    await changeLead(deps, { accountId, leadId, patch: { company: 'Acme' }, actor: ACTOR });
    await publisher.settled();
    expect(await kindsOf(parts, accountId)).to.deep.equal(['lead.created', 'lead.updated']);
    expect(await pendingOf(accountId)).to.deep.equal([]);
    const { items } = await used.store.leadHistory.pageRows(leadId, { limit: 10 });
    expect(items.map(({ kind }) => kind)).to.deep.equal(['lead.updated', 'lead.noted', 'lead.created']);
  });

  it('stores nothing of a change that no subscription wants, by its kind or its filter', async () => {
    const accountId = newAccount();
    const { parts, publisher, deps } = setUp();
    parts.subscriptions = [
      subscription('sub_1', ['event.created']),
      subscription('sub_2', ['*'], { filter: { stage: 'stg_won' } }),
    ];
    await made(deps, accountId, { name: 'Ada' });
    await publisher.settled();
    expect(await parts.logOf(accountId)).to.deep.equal([]);
    expect(await pendingOf(accountId)).to.deep.equal([]);
  });

  it('ends the replies of a channel without a reply URL, and no others', async () => {
    const accountId = newAccount();
    // These replies are in no record.
    const untold = { ...used.store.untold, withoutPublished: async (some: readonly PendingRecord[]) => some };
    const parts = publishing.start({ ...used.store, untold });
    const { publisher } = parts;
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
    await parts.republish(accountId);
    await tell(reply('cmsg_sent', 'chn_with'), reply('cmsg_failed', 'chn_without'));
    expect(parts.failedReplies).to.deep.equal(['cmsg_alone', 'cmsg_failed']);
    expect(await kindsOf(parts, accountId)).to.deep.equal(['conversation.reply']);
  });

  it('reads the subscriptions once for each version', async () => {
    const accountId = newAccount();
    const { parts, publisher, directory, deps } = setUp();
    for (const name of ['Ada', 'Ben', 'Cem']) {
      await made(deps, accountId, { name });
      await publisher.settled();
    }
    expect(parts.reads).to.equal(1);
    await directory.renewVersion(accountId);
    await made(deps, accountId, { name: 'Dan' });
    await publisher.settled();
    expect(parts.reads).to.equal(2);
  });

  it('keeps readers waiting for no batch after an error', async () => {
    const accountId = newAccount();
    const { parts, publisher, deps } = setUp();
    parts.beforeConfirm = async () => {
      throw new Error('Connection is closed.');
    };
    await made(deps, accountId, { name: 'Ada' });
    await publisher.settled();
    expect(parts.errors.map(String)).to.deep.equal(['Error: Connection is closed.']);
    expect(await parts.openBatches(accountId)).to.deep.equal([]);
    parts.beforeConfirm = async () => {};
    await publisher.publishNow(await pendingOf(accountId));
    expect(await kindsOf(parts, accountId)).to.deep.equal(['lead.created']);
  });

  it('decides again if the subscriptions change before it has confirmed', async () => {
    const accountId = newAccount();
    const { parts, publisher, directory, deps } = setUp();
    const { logOf } = parts;
    parts.subscriptions = [subscription('sub_1', ['lead.created'])];
    parts.beforeConfirm = async () => {
      parts.beforeConfirm = async () => {};
      parts.subscriptions = [subscription('sub_1', ['lead.updated'])];
      await directory.renewVersion(accountId);
    };
    await made(deps, accountId, { name: 'Ada' });
    await publisher.settled();
    expect(await logOf(accountId)).to.deep.equal([]);
    expect(await pendingOf(accountId)).to.deep.equal([]);
  });

  it('lets a fenced account wait until its fence ends, and appends the changes of others meanwhile', async () => {
    const [fenced, other] = [newAccount(), newAccount()];
    const { parts, publisher, directory, deps } = setUp();
    const fence = await directory.fence(fenced);
    await made(deps, fenced, { name: 'Fenced' });
    await made(deps, other, { name: 'Other' });
    await until(async () => (await pendingOf(other)).length === 0);
    expect(await pendingOf(fenced)).to.have.length(1);
    await directory.publish(fenced, fence, { put: [], remove: [] });
    await until(async () => (await pendingOf(fenced)).length === 0);
    await publisher.settled();
    expect(await kindsOf(parts, fenced)).to.deep.equal(['lead.created']);
  });

  it('keeps changes while Redis is away, and appends them once afterwards', async () => {
    const accountId = newAccount();
    const { parts, publisher, deps } = setUp();
    parts.fail = new Error('Redis is away');
    await made(deps, accountId, { name: 'Ada' });
    await publisher.settled();
    expect(parts.errors).to.deep.equal([parts.fail]);
    expect(await pendingOf(accountId)).to.have.length(1);
    parts.fail = undefined;
    const records = await pendingOf(accountId);
    await publisher.publishNow(records);
    await publisher.publishNow(records);
    expect(await kindsOf(parts, accountId)).to.deep.equal(['lead.created']);
    expect(await pendingOf(accountId)).to.deep.equal([]);
  });

  it('appends a change once that is in two records of a batch', async () => {
    const accountId = newAccount();
    const { parts, publisher, deps } = setUp();
    // The second record has both changes, because the first one is not published yet.
    const { lead_id: leadId } = await made(dying(), accountId, { name: 'Ada' });
    const first = await pendingOf(accountId);
    await changeLead(dying(), { accountId, leadId, patch: { company: 'Acme' }, actor: ACTOR });
    for (const record of [...first, ...(await pendingOf(accountId))]) deps.publisher.publishSoon(record);
    await publisher.settled();
    expect(await kindsOf(parts, accountId)).to.deep.equal(['lead.created', 'lead.updated']);
    expect(await pendingOf(accountId)).to.deep.equal([]);
  });

  it('clears a change that can never be sent, reports it, and appends the others of its batch', async () => {
    const accountId = newAccount();
    const { parts, publisher } = setUp();
    const poison = await made(dying(), accountId, { name: 'Poison' });
    await made(dying(), accountId, { name: 'Healthy' });
    const records = (await pendingOf(accountId)).map((record) =>
      record.id === poison.lead_id ? { ...record, texts: ['x'.repeat(2_000_000)] } : record,
    );
    await publisher.publishNow(records);
    expect(parts.unsendable.map(({ record_id }) => record_id)).to.deep.equal([poison.lead_id]);
    expect(await kindsOf(parts, accountId)).to.deep.equal(['lead.created']);
    expect(await pendingOf(accountId)).to.deep.equal([]);
  });

  it('does not publish once more what another process has published, also if this one was frozen', async () => {
    const accountId = newAccount();
    const { parts, publisher, directory, deps } = setUp();
    const { lead_id: leadId } = await made(dying(), accountId, { name: 'Ada' });
    await changeLead(dying(), { accountId, leadId, patch: { company: 'A' }, actor: ACTOR });
    // A process is frozen with these changes. Another one publishes them, and a subscription is created.
    const late = await pendingOf(accountId);
    await publisher.publishNow(late);
    const before = await parts.logOf(accountId);
    parts.subscriptions = [subscription('sub_1'), subscription('sub_new')];
    await directory.renewVersion(accountId);
    await changeLead(deps, { accountId, leadId, patch: { company: 'B' }, actor: ACTOR });
    await publisher.settled();
    await changeLead(dying(), { accountId, leadId, patch: { company: 'C' }, actor: ACTOR });
    const [untold] = await pendingOf(accountId);
    await publisher.publishNow(
      late.map((one) => ({ ...one, changes: [...one.changes, ...(untold?.changes ?? [])] })),
    );
    const log = await parts.logOf(accountId);
    expect(log.slice(0, 2), 'at their places').to.deep.equal(before);
    const companies = log.slice(2).map(({ text }) => JSON.parse(messageBody('', text)).data.company);
    expect(companies).to.deep.equal(['B', 'C']);
  });

  describe('of a lead that is erased', () => {
    it('lets nothing older leave after `lead.erased`, which has only the id', async () => {
      const accountId = newAccount();
      const { parts, publisher, deps } = setUp();
      const { lead_id: leadId } = await made(deps, accountId, { name: 'Ada' });
      await publisher.settled();
      // Another process has read this change, and is about to confirm it when the lead is erased.
      await changeLead(dying(), { accountId, leadId, patch: { company: 'Acme' }, actor: ACTOR });
      const late = await pendingOf(accountId);
      parts.beforeConfirm = async () => {
        parts.beforeConfirm = async () => {};
        await erase(deps, accountId, leadId);
        await publisher.settled();
      };
      await publisher.publishNow(late);
      const log = await parts.logOf(accountId);
      expect(log.map(({ kind }) => kind)).to.deep.equal(['lead.erased']);
      expect(JSON.parse(messageBody('msg_1', log[0]?.text ?? '')).data).to.deep.equal({ id: leadId });
    });

    it('leaves no text in MongoDB that a late process has stored, also while a subscription is changed', async () => {
      const accountId = newAccount();
      const { parts, publisher, directory, deps } = setUp();
      const { lead_id: leadId } = await made(deps, accountId, { name: 'Ada' });
      await publisher.settled();
      await changeLead(dying(), { accountId, leadId, patch: { company: 'Acme' }, actor: ACTOR });
      const late = await pendingOf(accountId);
      parts.beforeConfirm = async () => {
        parts.beforeConfirm = async () => {};
        await erase(deps, accountId, leadId);
        await publisher.settled();
        await directory.fence(accountId);
      };
      await publisher.publishNow(late);
      const kinds = ['lead.created', 'lead.updated', 'lead.erased'] as const;
      const query = { account_id: accountId, kinds, since: 0, limit: 10 };
      const stored = await used.store.outboundChanges.pageChanges(query);
      expect(stored.map(({ kind }) => kind)).to.deep.equal(['lead.erased']);
    });

    it('leaves no text if the late changes come before its erasure is published', async () => {
      const accountId = newAccount();
      const { parts, publisher, deps } = setUp();
      const { lead_id: leadId } = await made(deps, accountId, { name: 'Ada' });
      await publisher.settled();
      await changeLead(dying(), { accountId, leadId, patch: { company: 'Acme' }, actor: ACTOR });
      const late = await pendingOf(accountId);
      await erase(dying(), accountId, leadId);
      await publisher.publishNow(late);
      expect(await parts.logOf(accountId)).to.deep.equal([]);
    });
  });
});
