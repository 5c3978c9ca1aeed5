import { createChannel } from '@sluice/accounts/sources/create-channel';
import { expect } from 'chai';
import type { mongo } from 'mongoose';
import { freeLeases } from '../../faults/support/free-leases.ts';
import { startApi } from '../../support/api.ts';
import { addKey } from '../../support/api-processes.ts';
import { applyActions, visitorSays } from '../../support/conversations.ts';
import { created } from '../../support/created.ts';
import { startMongoProxy } from '../../support/mongo-proxy.ts';
import { useTestMongo } from '../../support/mongo-server.ts';
import { sharedRedisUrl, uniqueNamespace } from '../../support/shared-redis.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/use.ts';
import { callPublic } from '../support/public-caller.ts';

const CONVERSATION_WRITE = /findAndModify\0.{4}conversations\0/s;
const LEAD_INSERT = /findAndModify\0.{4}leads\0/s;
const SCOPES = ['read:leads', 'write:leads', 'read:conversations', 'write:conversations'] as const;

/** That a 503 comes within 1.5 s follows from the time budget: see time-budget.test.ts. */
describe('public API while MongoDB is away', function () {
  this.timeout(120_000);
  const mongoOfTest = useTestMongo('away');
  const proxy = use(() => startMongoProxy(mongoOfTest.url));
  const api = use(() =>
    startApi({ on: { redisUrl: sharedRedisUrl(), mongoUrl: proxy.url, namespace: uniqueNamespace('away') } }),
  );
  let key: string;
  let leadId: string;
  let conversationId: string;
  before(async () => {
    const accountId = await api.addAccount();
    key = await addKey(api, accountId, SCOPES);
    const channel = created(await createChannel(api.deps, { accountId, name: 'Chat' }));
    const of = { accountId, channelId: channel.channel.source_id };
    await applyActions(api.store, of, [visitorSays('chat', 'Hello')]);
    const accept = { kind: 'accept_handoff', conversation: { external_id: 'chat' } } as const;
    conversationId = await applyActions(api.store, of, [accept]);
    leadId = (await send('post', '/leads', { body: { name: 'Ada' } })).body.id;
  });
  after(() => proxy.open());

  interface Sent {
    readonly body?: object;
    readonly mark?: string;
  }

  const send = (method: 'get' | 'post' | 'patch', path: string, { body, mark }: Sent = {}) =>
    callPublic(api, method, path, {
      ...{ as: key, ...(body && { body }) },
      ...(mark !== undefined && { headers: { 'idempotency-key': mark } }),
    }).then((answer) => answer);

  const reads = () =>
    ['/leads', `/leads/${leadId}`, `/leads/${leadId}/history`, '/pipeline-stages', '/leads/fields'].concat([
      ...['/conversations', `/conversations/${conversationId}`, `/conversations/${conversationId}/messages`],
    ]);
  const writes = () =>
    [
      ['post', '/leads', { name: 'Away' }],
      ['post', '/leads?match_on=email', { email: 'away@example.com' }],
      ['post', `/leads/${leadId}/stage`, { stage: 'stg_won', note: 'Away' }],
      ['patch', `/leads/${leadId}`, { company: 'Away' }],
      ['post', `/conversations/${conversationId}/messages`, { text: 'Away' }],
    ] as const;

  async function expectUnavailable(sent: ReturnType<typeof send>, what: string): Promise<void> {
    const answer = await sent;
    expect(answer.status, `${what}: ${answer.text}`).to.equal(503);
    expect(Number(answer.headers['retry-after']), what).to.be.at.least(1);
  }

  const collection = (name: string) => mongoOfTest.db.collection<mongo.Document>(name);
  const works = () =>
    until(async () => (await send('get', '/leads')).status === 200, { what: 'the API works again' });

  it('responds 503 with Retry-After to every read and write that comes meanwhile, and none takes effect later', async () => {
    proxy.shut();
    await Promise.all([
      ...reads().map((path) => expectUnavailable(send('get', path), path)),
      ...writes().map(([method, path, body]) => expectUnavailable(send(method, path, { body }), path)),
    ]);
    proxy.open();
    await works();
    const lead = (await send('get', `/leads/${leadId}`)).body;
    expect(lead).to.include({ stage: 'stg_new', company: null });
    expect(await collection('leads').countDocuments({})).to.equal(1);
    expect(await collection('conversation_messages').countDocuments({ text: 'Away' })).to.equal(0);
    expect(await collection('idempotency_keys').countDocuments({})).to.equal(0);
  });

  it('responds 503 to a write that MongoDB receives late, and its Idempotency-Key then gets its one record', async () => {
    const held = proxy.holdAt(LEAD_INSERT);
    const write = () => send('post', '/leads', { body: { name: 'Late' }, mark: 'late' });
    const late = write();
    await held;
    await expectUnavailable(late, 'the held write');
    expect((await late).body.detail).to.contain('with the same Idempotency-Key');
    proxy.letGo();
    let again = await late;
    await until(
      async () => {
        again = await write();
        return again.status === 201;
      },
      { what: 'the repeat gets its response' },
    );
    const stored = await collection('leads').find({ name: 'Late' }).toArray();
    expect(stored.map(({ _id }) => String(_id))).to.deep.equal([again.body.id]);
  });

  it('responds 503 to a reply that was admitted before MongoDB went away, and its Idempotency-Key then gets its one message', async () => {
    const path = `/conversations/${conversationId}/messages`;
    const reply = { body: { text: 'Admitted' }, mark: 'admitted' };
    const held = proxy.holdAt(CONVERSATION_WRITE);
    const late = send('post', path, reply);
    await held;
    proxy.shut();
    proxy.letGo();
    await expectUnavailable(late, 'the admitted reply');
    proxy.open();
    await works();
    const messages = collection('conversation_messages');
    expect(await messages.countDocuments({ text: 'Admitted' })).to.equal(0);
    // Its lease ends after 30 s, because MongoDB was away when the request ended.
    await freeLeases(mongoOfTest.db);
    expect((await send('post', path, reply)).status).to.equal(201);
    expect(await messages.countDocuments({ text: 'Admitted' })).to.equal(1);
  });
});
