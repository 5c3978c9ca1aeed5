import { createKey } from '@sluice/accounts/keys/create-key';
import { openApiDocument } from '@sluice/api/docs/openapi';
import { PUBLIC_ROUTES } from '@sluice/api/public/routes';
import { conversationId } from '@sluice/contract/conversation/conversation-id';
import { EVENT_KINDS } from '@sluice/contract/message/event-kinds';
import { openReplySecrets } from '@sluice/credentials/reply-secret';
import { publishReply } from '@sluice/outbound/subscriptions/publish-reply';
import { testSubscription } from '@sluice/outbound/subscriptions/test-subscription';
import type { Channel } from '@sluice/store/sources/source';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { closed } from '../support/openapi.ts';
import { changeEvent, erasePending, refuse, sendTo } from '../support/source-changes.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { startOutboundApi } from './support/outbound-api.ts';
import type { OutboundPipeline } from './support/outbound-pipeline.ts';
import type { Receiver } from './support/receiver.ts';

type Source = Awaited<ReturnType<OutboundPipeline['addSource']>>;

/** Objects whose keys are data, so they differ from record to record. */
const FREE = ['previous', 'fields', 'session'];

describe('dispatcher: every kind of message', function () {
  this.timeout(120_000);
  const document = openApiDocument({ eventsUrl: 'http://e', apiUrl: 'http://a' }, PUBLIC_ROUTES);
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ ...closed(document), $id: 'openapi' });
  const outbound = use(startOutboundApi);
  let pipeline: OutboundPipeline;
  let apiUrl: string;
  let receiver: Receiver;
  let key: string;
  let channel: Source;
  before(async () => {
    ({ pipeline, apiUrl, receiver } = outbound);
    await changeEverything();
  });

  async function call(method: string, path: string, body: object): Promise<{ id: string }> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(`${apiUrl}/api/public${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    expect(answer.status, text).to.be.below(300);
    return JSON.parse(text);
  }

  const received = (kind: string) => receiver.received.find(({ type }) => type === kind);
  const untilReceived = (kind: string) =>
    until(() => received(kind) !== undefined, { withinMs: 20_000, what: kind });

  /** Makes each change once, by the way that users do. */
  async function changeEverything() {
    channel = await pipeline.addChannel();
    const { accountId } = channel;
    const source = await pipeline.addSource({ accountId });
    const wanted = { target_url: receiver.url, events: ['*'], ordered: true };
    const { subscription } = await pipeline.subscribe(accountId, wanted);
    await changeEvent(pipeline, source);
    await refuse(pipeline, source);
    const { store } = pipeline;
    const scopes = ['read:leads', 'write:leads', 'read:conversations', 'write:conversations'] as const;
    const made = await createKey(
      { ...store, now: Date.now },
      { accountId, name: 'Bot', scopes, expiresAt: null },
    );
    if (made.status !== 'created') throw new Error(made.status);
    key = made.key;
    await changeLead(accountId);
    await converse();
    await testSubscription(pipeline.deps, { accountId, subscriptionId: subscription.subscription_id });
  }

  async function changeLead(accountId: string) {
    const { id } = await call('POST', '/leads', { name: 'Ada', email: 'ada@example.com' });
    await call('PATCH', `/leads/${id}`, { company: 'Acme' });
    await call('POST', `/leads/${id}/stage`, { stage: 'stg_contacted' });
    await untilReceived('lead.stage_changed');
    await erasePending(pipeline, accountId, id);
  }

  async function converse() {
    const reply_url = receiver.url;
    const { store } = pipeline;
    await publishReply(
      pipeline.deps,
      (await store.sources.changeSource(channel.sourceId, { reply_url })) as Channel,
    );
    const conversation = {
      external_id: 'c-1',
      subject: 'Hello',
      contact: { name: 'Ada' },
      session: { a: 1 },
    };
    let rows = 0;
    const act = async (action: string, more: object = {}) => {
      const answer = await sendTo(pipeline, channel, { action, conversation, ...more });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      rows += 1;
      await pipeline.logged(channel, rows);
    };
    await act('open');
    await act('message', { message: { external_id: 'm-1', author: 'visitor', text: 'Hello' } });
    await act('request_handoff');
    await act('accept_handoff');
    const id = conversationId(channel.sourceId, 'c-1');
    await call('POST', `/conversations/${id}/messages`, { text: 'Hi' });
    await act('end_handoff');
    await act('close');
  }

  for (const { kind } of EVENT_KINDS)
    it(`${kind} is delivered with exactly the keys of its sample, and as its JSON Schema says`, async () => {
      await untilReceived(kind);
      const body = received(kind)?.body as object;
      const content = document.webhooks[kind]?.post.requestBody.content['application/json'];
      const validate = ajv.compile({ $ref: `openapi${content?.schema.$ref}` });
      expect(validate(body), ajv.errorsText(validate.errors)).to.equal(true);
      expect(keysOf(body, content?.example)).to.deep.equal(keysOf(content?.example, body));
    });

  it('conversation.reply is signed with the secret of its channel, and then shown as delivered', async () => {
    const reply = received('conversation.reply');
    const stored = (await pipeline.store.sources.findSource(channel.sourceId)) as Channel;
    const opened = openReplySecrets(pipeline.deps.keyring, stored, Date.now());
    if (opened.status !== 'opened') throw new Error(opened.status);
    const headers = reply?.headers as Record<string, string>;
    new Webhook(opened.secrets[0] as string).verify(reply?.text ?? '', headers);
    expect(reply?.body.data).to.deep.include({ text: 'Hi' });
    const id = conversationId(channel.sourceId, 'c-1');
    await until(async () => {
      const { items } = await pipeline.store.conversationMessages.pageMessages(id, {
        descending: true,
        limit: 10,
      });
      return items.some(({ delivery }) => delivery === 'delivered');
    });
  });
});

/** The paths of all keys. An object that is null in the other text has none. */
function keysOf(value: unknown, other: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  if (other === null || FREE.includes(path.split('.').at(-1) ?? '')) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const own = `${path}.${name}`;
    return [own, ...keysOf(inner, (other as Record<string, unknown> | undefined)?.[name], own)];
  });
}
