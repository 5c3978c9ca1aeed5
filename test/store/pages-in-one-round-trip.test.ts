import { createAuditLog } from '@sluice/store/audit/audit-log';
import { createConversationMessages } from '@sluice/store/conversations/conversation-messages';
import { expect } from 'chai';
import mongoose from 'mongoose';
import { useTestMongo } from '../support/mongo-server.ts';

/** The most of a page. MongoDB sends 101 documents at first if it is asked for no other number. */
const LIMIT = 200;

describe('store: a page of the largest size', () => {
  const mongo = useTestMongo('pages');
  let connection: mongoose.Connection;
  const commands: string[] = [];
  before(async () => {
    const quiet = { monitorCommands: true, autoCreate: false, autoIndex: false };
    connection = await mongoose.createConnection(mongo.url, quiet).asPromise();
    connection.getClient().on('commandStarted', ({ commandName }) => commands.push(commandName));
  });
  after(() => connection?.close());

  /** Stores one more document than a page has. Resolves to what the read returned and sent. */
  async function readAll(
    collection: mongoose.mongo.Collection,
    fieldsOf: (n: number) => object,
    read: () => Promise<{ items: readonly unknown[]; more: boolean }>,
  ) {
    const documents = Array.from({ length: LIMIT + 1 }, (_, n) => ({ _id: `id_${n}`, ...fieldsOf(n) }));
    await collection.insertMany(documents as never);
    commands.length = 0;
    const { items, more } = await read();
    return { count: items.length, more, commands: [...commands] };
  }
  const EXPECTED = { count: LIMIT, more: true, commands: ['find'] };

  it('of messages is read in one round trip, so no cursor can be lost', async () => {
    const messages = createConversationMessages(connection);
    const read = () => messages.pageMessages('con_1', { descending: false, limit: LIMIT });
    const at = (n: number) => ({ sent_at: new Date(n), updated_at: new Date(n) });
    const fields = (n: number) => ({ conversation_id: 'con_1', sequence: n, ...at(n) });
    const collection = connection.collection('conversation_messages') as never;
    expect(await readAll(collection, fields, read)).to.deep.equal(EXPECTED);
  });

  it('of the audit log is read in one round trip', async () => {
    const log = createAuditLog(connection);
    const read = () => log.pageEntries({ account_id: 'acc_1', limit: LIMIT });
    const fields = (n: number) => ({ account_id: 'acc_1', at: new Date(n) });
    expect(await readAll(connection.collection('audit_log') as never, fields, read)).to.deep.equal(EXPECTED);
  });
});
