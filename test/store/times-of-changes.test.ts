import { leadKeys } from '@sluice/leads/fields/lead-keys';
import { WRITE_MS } from '@sluice/store/changed-since';
import type { Store } from '@sluice/store/connect';
import type { Conversation, ConversationMessage } from '@sluice/store/conversations/conversation-document';
import type { Lead } from '@sluice/store/leads/lead-document';
import type { LeadWrite } from '@sluice/store/leads/write-leads';
import { expect } from 'chai';
import { mongo } from 'mongoose';
import { until } from '../support/until.ts';
import { attemptRow, storedLead, storedMessage, useStore } from './support.ts';

const ACTOR = { type: 'system', id: 'test' } as const;

describe('store: the times of changes', () => {
  const used = useStore();

  const writeOf = (one: Lead): LeadWrite => ({
    lead: one,
    keys: leadKeys(one, null),
    changes: [{ sequence: one.revision, kind: 'lead.updated', at: 1, actor: ACTOR, data: {} }],
  });
  const conversation = (revision: number): Conversation => ({
    ...{ conversation_id: 'conv_held', account_id: 'acc_held', channel_id: 'chn_1', external_id: 'x' },
    ...{ status: 'open', lead_id: null, last_message_sequence: 0, first_sequence: 1, created_at: 1 },
    ...{ updated_at: 1, revision, sequence: 1, recent_messages: [], untold: [] },
  });
  const source = {
    ...{ source_id: 'src_held', account_id: 'acc_held', name: 'Held', active: true, sealed_secret: 's' },
    ...{ version: 1, rate_per_second: null, rate_burst: null, body_storage: 'all' as const, created_at: 1 },
    ...{ secret_rotated_at: null, previous_secret: null },
  } as const;
  // Their times are those of a process that was frozen before the write.
  const [single, batched] = [storedLead(), storedLead()];
  const changed = (one: Lead): Lead => ({ ...one, company: 'Engines', revision: 2 });
  const said = storedMessage('conv_held', 1, { delivery: 'pending' });
  const failing = storedMessage('conv_held', 2, { delivery: 'pending' });
  const deleted = storedMessage('conv_held', 3, { delivery: 'pending' });
  const edited = { ...said, text: 'Edited', sequence: 2 };
  const [logged, discarded] = [attemptRow('sub_held', 1), attemptRow('sub_held', 2)];

  const messagesOf = (all: readonly ConversationMessage[], before?: ConversationMessage) =>
    all.map((message) => ({ message, before }));
  const held = { conversation_id: 'conv_held', revision: 2 };
  const again = { ...logged, attempt: { ...logged.attempt, id: 'a2' } };

  type Writes = readonly (readonly [what: string, id: string, write: (store: Store) => Promise<unknown>])[];
  /** Each kind of write by its collection, with the record that it changes. */
  const writes: Readonly<Record<string, Writes>> = {
    leads: [
      ['a new lead', single.lead_id, ({ leads }) => leads.writeLead(writeOf(single))],
      ['a changed lead', single.lead_id, ({ leads }) => leads.writeLead(writeOf(changed(single)))],
      ['a batch of new leads', batched.lead_id, ({ leads }) => leads.writeLeads([writeOf(batched)])],
      [
        'a batch of changed leads',
        batched.lead_id,
        ({ leads }) => leads.writeLeads([writeOf(changed(batched))]),
      ],
    ],
    conversations: [
      [
        'a new conversation',
        'conv_held',
        (store) => store.conversations.writeConversation(conversation(1), []),
      ],
      [
        'a changed conversation',
        'conv_held',
        (store) => store.conversations.writeConversation(conversation(2), []),
      ],
      ['a link to a lead', 'conv_held', ({ conversationLinks }) => conversationLinks.endWait(held, single)],
    ],
    conversation_messages: [
      [
        'new messages',
        said.message_id,
        (store) => store.conversationMessages.writeMessages(messagesOf([said, failing, deleted])),
      ],
      [
        'an edited message',
        said.message_id,
        (store) => store.conversationMessages.writeMessages(messagesOf([edited], said)),
      ],
      [
        'the end of a reply',
        said.message_id,
        (store) => store.conversationMessages.settleReply(said.message_id, 'delivered', null),
      ],
      [
        'the end of some replies',
        failing.message_id,
        (store) => store.conversationMessages.failReplies([failing.message_id], 'No reply URL.'),
      ],
      [
        'the end of the replies of a channel',
        deleted.message_id,
        (store) =>
          store.deletedConversations.failReplies({ account_id: 'acc_1', source_id: 'chn_1' }, 'Deleted.'),
      ],
    ],
    webhook_messages: [
      ['a first attempt', logged.message_id, ({ webhookMessages }) => webhookMessages.logAttempts([logged])],
      ['a further attempt', logged.message_id, ({ webhookMessages }) => webhookMessages.logAttempts([again])],
      [
        'a discarded message',
        discarded.message_id,
        ({ webhookMessages }) => webhookMessages.logDiscarded([discarded]),
      ],
      [
        'an erased record',
        logged.message_id,
        ({ webhookMessages }) => webhookMessages.eraseRecords('acc_1', ['lead_1']),
      ],
    ],
    sources: [
      ['a new source', 'src_held', ({ sources }) => sources.insertSource(source)],
      [
        'a renamed source',
        'src_held',
        ({ sources }) => sources.changeSource('src_held', { name: 'Renamed' }),
      ],
    ],
  };
  const all = Object.entries(writes).flatMap(([name, some]) => some.map((one) => [name, ...one] as const));

  for (const [name, what, _id, write] of all)
    it(`dates ${what} by MongoDB's clock, however long the write was held, and bounds the write`, async () => {
      const { Collection } = mongo;
      const { insertOne, insertMany, bulkWrite, updateOne, updateMany, findOneAndUpdate } =
        Collection.prototype;
      const methods = { insertOne, insertMany, bulkWrite, updateOne, updateMany, findOneAndUpdate };
      let passed = 0;
      const limits: unknown[] = [];
      for (const [method, run] of Object.entries(methods))
        Object.assign(Collection.prototype, {
          async [method](this: { collectionName: string }, ...wanted: never[]) {
            if (this.collectionName === name) {
              limits.push((wanted.at(-1) as { maxTimeMS?: number } | undefined)?.maxTimeMS);
              // A list that is read while the write is held.
              passed = (await used.store.serverTime()) + 1;
              await until(async () => (await used.store.serverTime()) > passed);
            }
            return (run as (...wanted: never[]) => Promise<unknown>).apply(this, wanted);
          },
        });
      try {
        await write(used.store);
      } finally {
        Object.assign(Collection.prototype, methods);
      }
      const stored = await used.mongo.db.collection<{ _id: string } & mongo.Document>(name).findOne({ _id });
      const at: Date = stored?.[name === 'sources' ? 'renamed_at' : 'updated_at'];
      expect(at.getTime()).to.be.within(passed, await used.store.serverTime());
      for (const limit of limits) expect(limit).to.be.within(1, WRITE_MS);
    });
});
