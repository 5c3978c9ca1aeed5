import { randomUUID } from 'node:crypto';
import { createKey } from '@sluice/accounts/keys/create-key';
import { createChannel } from '@sluice/accounts/sources/create-channel';
import { PUBLIC_ROUTES } from '@sluice/api/public/routes';
import { SCOPES, type Scope } from '@sluice/contract/account/scopes';
import { expect } from 'chai';
import supertest from 'supertest';
import { applyActions, visitorSays } from '../../support/conversations.ts';
import { created } from '../../support/created.ts';
import { expectProblem } from '../../support/expect-problem.ts';
import { expectDocumented } from '../../support/openapi.ts';
import { until } from '../../support/until.ts';
import { useApi } from '../../support/use-api.ts';

type Route = (typeof PUBLIC_ROUTES)[number];
const ALL = Object.keys(SCOPES) as Scope[];
const URL_1 = 'https://1.1.1.1/hook';
/** A right body for each write. */
const BODIES: Readonly<Record<string, object>> = {
  createLead: { external_id: 'crm-1', name: 'Sent' },
  updateLead: { name: 'Sent' },
  moveLead: { stage: 'stg_won' },
  sendReply: { text: 'Sent' },
  updateHandoff: { action: 'end' },
  createWebhook: { target_url: URL_1, events: ['*'] },
  createWebhookStream: { events: ['*'] },
  updateWebhook: { name: 'Sent' },
  rotateWebhookSecret: { overlap: 'none' },
  recoverWebhook: { since: '2026-01-01T00:00:00Z' },
};
/** Queries that select the records of the first account. */
const QUERIES: Readonly<Record<string, string>> = {
  createLead: '?match_on=external_id',
  listLeads: '?external_id=crm-1',
  listWebhooks: `?url=${encodeURIComponent(URL_1)}`,
  deleteWebhookByUrl: `?url=${encodeURIComponent(URL_1)}`,
};
/** Each appears in the records of the first account only. */
const SECRETS = ['Hidden', '837261', 'grace@', 'Confidential'];

/** The cases are made from the list of declared routes, so that no route can be left out. */
describe('api: every route of the public API', () => {
  const api = useApi({ config: { KEY_RATE_BURST: 100_000 } });
  let ids: Record<string, string>;
  before(async () => {
    const channel = created(
      await createChannel(api.deps, { accountId: api.accountId, name: 'Hidden channel' }),
    );
    const channelId = channel.channel.source_id;
    const of = { accountId: api.accountId, channelId };
    await applyActions(api.store, of, [visitorSays('chat', 'Confidential')]);
    const conversationId = await applyActions(api.store, of, [
      { kind: 'accept_handoff', conversation: { external_id: 'chat', subject: 'Confidential' } },
    ]);
    const lead = { email: 'grace@example.com', phone: '+49 30 837261', company: 'Hidden', note: 'Hidden' };
    const key = await keyOf(api.accountId, ALL);
    const made = await post('/leads', key, { ...lead, external_id: 'crm-1' });
    ids = { leadId: made.id, conversationId };
    ids = { ...ids, ...(await subscribed(key, URL_1)) };
  });

  async function newKey(account: string, scopes: readonly Scope[], expiresAt: number | null = null) {
    const made = created(await createKey(api.deps, { accountId: account, name: 'A key', scopes, expiresAt }));
    return made;
  }
  const keyOf = async (account: string, scopes: readonly Scope[]) => (await newKey(account, scopes)).key;

  async function post(path: string, key: string, body: object): Promise<{ readonly id: string }> {
    const made = await supertest(api.app)
      .post(`/api/public${path}`)
      .set('authorization', `Bearer ${key}`)
      .send(body);
    expect(made.status, made.text).to.equal(201);
    return made.body;
  }

  /** Subscribes a URL with a key. The subscription has failed to deliver a message with everything about the lead. */
  async function subscribed(key: string, target_url: string) {
    const { id: webhookId } = await post('/webhooks', key, { target_url, events: ['lead.updated'] });
    const messageId = `msg_${randomUUID()}`;
    const change_id = `change of ${messageId}`;
    const change = {
      change_id,
      account_id: api.accountId,
      kind: 'lead.updated',
      record_id: ids.leadId,
    } as const;
    await api.deps.outboundChanges.appendChanges([
      { ...change, record_id: ids.leadId as string, sequence: 1, at: Date.now(), text: SECRETS.join(' ') },
    ]);
    await api.deps.webhookMessages.logAttempts([
      {
        ...{ ...change, record_id: ids.leadId as string, message_id: messageId, subscription_id: webhookId },
        ...{ status: 'failed', next_attempt_at: null, created_at: Date.now() },
        attempt: {
          ...{ id: 'a1', at: Date.now(), duration_ms: 5, code: 'server_error', status: 500 },
          ...{ sentence: 'It answered 500.', response: null, redelivery: false },
        },
      },
    ]);
    return { webhookId, messageId };
  }

  function call({ method, path, operationId, body }: Route, key: string, at = ids) {
    const named = path.replace(/:(\w+)/g, (_, name: string) => at[name] ?? `${name}_none`);
    const test = supertest(api.app)
      [method.toLowerCase() as 'get'](named + (QUERIES[operationId] ?? ''))
      .set('authorization', `Bearer ${key}`);
    return body === undefined ? test : test.send(BODIES[operationId] ?? {});
  }

  /** Calls a route for a record that does not exist. Its response is one that openapi.json describes. */
  async function documented(route: Route, key: string) {
    const path = route.path.replace(/:\w+/g, 'lead_none');
    const method = route.method.toLowerCase() as 'get';
    const test = supertest(api.app)[method](path).set('authorization', `Bearer ${key}`);
    const answer = await (route.body === undefined ? test : test.send({}));
    expectDocumented(route.operationId, {
      ...{ status: answer.status, contentType: answer.headers['content-type'] },
      body: answer.text === '' ? undefined : JSON.parse(answer.text),
    });
    return answer;
  }

  /** All documents of the first account except what each request updates: when a key was used. */
  async function stored(): Promise<string> {
    const collections = await api.mongo.db.listCollections().toArray();
    const names = collections.map(({ name }) => name).filter((name) => name !== 'api_keys');
    const all = await Promise.all(
      names.sort().map((name) => api.mongo.db.collection(name).find({ account_id: api.accountId }).toArray()),
    );
    return JSON.stringify(all);
  }

  /** Resolves once no change of the account is about to be published, which changes its records behind the response. */
  const told = () =>
    until(
      async () => {
        const untold = { account_id: api.accountId, 'untold.0': { $exists: true } };
        const counts = ['leads', 'conversations'].map((name) =>
          api.mongo.db.collection(name).countDocuments(untold),
        );
        return (await Promise.all(counts)).every((count) => count === 0);
      },
      { what: 'all changes are published' },
    );

  it('every body and query of these tests belongs to a route', () => {
    const known = PUBLIC_ROUTES.map(({ operationId }) => operationId);
    expect(known).to.include.members([...Object.keys(BODIES), ...Object.keys(QUERIES)]);
  });

  it('shows and changes nothing of this account to a key of another', async () => {
    await told();
    const before = await stored();
    const key = await keyOf(await api.addAccount(), ALL);
    for (const route of PUBLIC_ROUTES) {
      const { method, path } = route;
      const answer = await call(route, key);
      const what = `${method} ${path}: ${answer.text}`;
      if (path.includes(':'))
        expect(answer.status, what).to.be.oneOf(method === 'DELETE' ? [204, 404] : [404]);
      else expect(answer.status, what).to.be.below(500);
      for (const secret of [...SECRETS, ...Object.values(ids)])
        expect(answer.text, what).not.to.contain(secret);
    }
    expect(await stored()).to.equal(before);
  });

  for (const route of PUBLIC_ROUTES) {
    const { method, path, operationId, scopes } = route;
    const name = `${method} ${path}`;

    it(`${name} requires one of its scopes`, async () => {
      const enough: readonly Scope[] = scopes === 'any_live_key' ? ['webhooks'] : scopes;
      for (const scope of enough)
        expect((await documented(route, await keyOf(api.accountId, [scope]))).status).not.to.be.oneOf([
          401, 403, 500,
        ]);
      if (scopes === 'any_live_key') return;
      const others = ALL.filter((scope) => !scopes.includes(scope));
      const answer = await documented(route, await keyOf(api.accountId, others));
      expectProblem(answer, 'scope_missing');
      expect(JSON.parse(answer.text).required_scopes).to.deep.equal(scopes);
      expect(answer.headers['www-authenticate']).to.equal(
        `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`,
      );
    });

    it(`${name} rejects a revoked, an expired and an unknown key`, async () => {
      const revoked = await newKey(api.accountId, ALL);
      await api.store.apiKeys.revokeApiKey(revoked.apiKey.key_id, Date.now());
      expectProblem(await documented(route, revoked.key), 'key_revoked');
      expectProblem(
        await documented(route, (await newKey(api.accountId, ALL, Date.now() - 1)).key),
        'key_expired',
      );
      expectProblem(await documented(route, 'nonsense'), 'key_invalid');
    });

    it(`${name} shows no lead and no conversation to a key with the scope webhooks alone`, async () => {
      const key = await keyOf(api.accountId, ['webhooks']);
      // The messages of a URL have no stream, and a test waits long for a dispatcher.
      const isRead = path.includes(':webhookId') && !route.streams && operationId !== 'testWebhook';
      const own = isRead ? await subscribed(key, `${URL_1}/${operationId}`) : {};
      const answer = await call(route, key, { ...ids, ...own });
      if (isRead) expect(answer.status, answer.text).to.be.oneOf([200, 204]);
      for (const secret of SECRETS.filter((one) => operationId !== 'listChannels' || one !== 'Hidden'))
        expect(answer.text).not.to.contain(secret);
    });

    const writes = scopes === 'any_live_key' ? [] : scopes.filter((scope) => scope.startsWith('write:'));
    if (method !== 'GET')
      for (const scope of writes)
        it(`${name} returns to a key with ${scope} alone nothing but what it sent`, async () => {
          expect(route.discloses?.scope, 'the declared scope that reads the record').to.equal(
            scope.replace('write:', 'read:'),
          );
          const answer = await call(route, await keyOf(api.accountId, [scope]));
          expect(answer.status, answer.text).to.be.oneOf([200, 201]);
          for (const secret of SECRETS) expect(answer.text).not.to.contain(secret);
        });
  }
});
