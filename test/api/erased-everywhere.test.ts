import { createDeadLetters } from '@sluice/queue/dead-letters';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import supertest from 'supertest';
import { addKey } from '../support/api-processes.ts';
import { dumpMongo, dumpRedis } from '../support/dump.ts';
import { until } from '../support/until.ts';
import { type Source, useInstallation } from './support/installation.ts';

const NAME = 'Zanzibar Quill';
const EMAIL = 'Quill@Zanzibar.example';
const PHONE = '+49 30 5550199';
/** The person's details to search for, in small letters. */
const TRACES = ['zanzibar', 'quill', '5550199', 'secret wish'];

/** Every copy that section 2 of the contract of leads names, with the whole service. */
describe('api: an erased person', () => {
  const at = useInstallation();
  let accountId: string;
  let key: string;

  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await supertest(at.api.app)
      .post(`/api/public${path}`)
      .set({ authorization: `Bearer ${key}`, ...headers })
      .send(body);
    expect(answer.status, answer.text).to.equal(201);
    return answer.body;
  };
  const everything = async () => {
    const { redis, namespace } = at.pipeline;
    const all = { redis: await dumpRedis(redis.url), mongo: await dumpMongo(at.mongoUrl, namespace) };
    const found = Object.entries(all).flatMap(([store, text]) =>
      TRACES.filter((trace) => text.toLowerCase().includes(trace)).map((trace) => `${trace} in ${store}`),
    );
    return { found, text: `${all.redis} ${all.mongo}` };
  };

  async function addChannel(): Promise<Source> {
    const { body } = await at.owner.call('post', '/channels', { name: 'Chat' });
    const { channel_id: id } = body.channel;
    const url = `${at.pipeline.urls[0]}/api/v1/conversations/webhook/${id}`;
    return { id, secret: body.signing_secret as string, url };
  }

  /** Leaves the action of a visitor as one that could never be applied. */
  async function addDeadLetter(channel: Source, conversation: object): Promise<() => Promise<number>> {
    const keyspace = createKeyspace(at.pipeline.namespace);
    const deadLetters = createDeadLetters({ redis: at.api.redis, prefix: keyspace.prefix });
    const action = { kind: 'open', conversation };
    // Other tests on this installation leave their own.
    const others = await deadLetters.count();
    await deadLetters.add(`dlv_dead_${channel.id}`, {
      ...{ v: 4 as never, failed_at: Date.now(), reason: 'a test' },
      action: { account_id: accountId, source_id: channel.id, action },
    });
    return async () => (await deadLetters.count()) - others;
  }

  it('leaves no trace in MongoDB and Redis, whatever had a copy', async function () {
    this.timeout(60_000);
    const channel = await addChannel();
    accountId = (await at.pipeline.store.sources.findSource(channel.id))?.account_id as string;
    key = await addKey(at.api, accountId, ['read:leads', 'write:leads', 'webhooks']);
    await post('/webhooks', { target_url: 'https://1.1.1.1/hook', events: ['*'] });
    const contact = { name: NAME, email: EMAIL, phone: PHONE };
    const lead = await post('/leads?match_on=email', contact, { 'idempotency-key': 'create-1' });
    await post('/leads', { name: 'Somebody Else', email: 'else@example.com' });

    const conversation = { external_id: 'visit-1', subject: `${NAME} asks`, contact };
    const message = { external_id: 'm-1', author: 'visitor', text: 'A secret wish of mine' };
    await at.sendTo(channel, { action: 'request_handoff', conversation, message });
    await at.sendTo(channel, { action: 'no such action', conversation, message });
    await at.sendTo(channel, { action: 'open', conversation: { external_id: 'another' } });
    await at.logged(channel, 3);
    const { conversations } = at.pipeline.store;
    const linked = async () => (await conversations.pageConversations({ account_id: accountId }, PAGE)).items;
    await until(async () => (await linked()).some(({ lead_id }) => lead_id === lead.id));
    const letters = await addDeadLetter(channel, conversation);
    await until(async () => (await everything()).text.includes('conversation.handoff_requested'));
    expect((await everything()).found).to.include.members(TRACES.map((trace) => `${trace} in mongo`));

    const erased = await at.owner.call('delete', `/leads/${lead.id}`);
    expect(erased.status, erased.text).to.equal(204);
    const left = async () => (await everything()).found;
    await until(async () => (await left()).length === 0, {
      withinMs: 30_000,
      what: 'nothing is left',
    }).catch(async (error) => expect(await left(), String(error)).to.deep.equal([]));
    expect(await letters()).to.equal(0);
    const { text } = await everything();
    expect(text, 'the message that tells of it').to.include('lead.erased');
    expect(text, 'others').to.include('else@example.com');
    expect(await linked(), 'the conversations themselves').to.have.length(2);
  });
});

const PAGE = { sort: '-created_at', limit: 10 } as const;
