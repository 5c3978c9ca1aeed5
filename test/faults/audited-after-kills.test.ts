import { setTimeout as sleep } from 'node:timers/promises';
import { createKey } from '@sluice/accounts/keys/create-key';
import { createOwnerLink } from '@sluice/accounts/people/create-link';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { expect } from 'chai';
import { type ApiProcesses, addKey } from '../support/api-processes.ts';
import { applyActions, visitorSays } from '../support/conversations.ts';
import { seededRandom } from '../support/load.ts';
import { seed, sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { report } from './support/report.ts';
import { type KilledApis, useKilledApis } from './support/use-killed-apis.ts';

const KILLS = sized({ short: 4, long: 30 });
const WRITERS = 8;

/** Sends numbered writes from several writers during kills of the API server. A write that a kill cuts off is not repeated. */
async function writeDuringKills(apis: ApiProcesses, write: (number: number) => Promise<unknown>) {
  const random = seededRandom(seed);
  let [sent, isOver] = [0, false];
  const repeat = async () => {
    while (!isOver) {
      sent += 1;
      await write(sent).catch(() => sleep(20));
    }
  };
  const writers = Promise.all(Array.from({ length: WRITERS }, repeat));
  for (let kill = 0; kill < KILLS; kill++) {
    const wanted = sent + 40 + Math.floor(random() * 80);
    await until(() => sent >= wanted);
    await apis.replace(0);
  }
  isOver = true;
  await writers;
}

/** Compares what was written with the targets of its audit entries, which may follow within 10 s. */
async function expectEntries(what: string, written: readonly string[], read: () => Promise<string[]>) {
  await until(async () => (await read()).length >= written.length, { withinMs: 10_000 }).catch(() => {});
  const entries = await read();
  report({
    ...{ test: 'no change without its audit entry', times: KILLS, asked: `one entry of each ${what}` },
    done: `SIGKILL of an API server during writes of a ${what} without an Idempotency-Key`,
    seen: `${written.length} written, ${entries.length} entries`,
  });
  expect(written.length).to.be.above(KILLS);
  expect(entries).to.deep.equal(written);
}

describe('faults: API servers killed during writes without an Idempotency-Key', function () {
  this.timeout(sized({ short: 120_000, long: 600_000 }));
  const used = useKilledApis({ apis: 1, workers: 0 });

  it('leave an audit entry of each lead that they made, within 10 s', async () => {
    const { pipeline, apis, db } = used;
    const { accountId } = await pipeline.addSource();
    const key = await addKey(pipeline, accountId);
    await writeDuringKills(apis, (number) => post(apis, key, '/leads', { name: `Lead ${number}` }));
    const leads = await db.collection('leads').find({ account_id: accountId }).toArray();
    const ids = leads.map(({ _id }) => String(_id)).sort();
    const wanted = { account_id: accountId, action: 'lead.created' };
    await expectEntries('lead', ids, async () => {
      const found = await db.collection('audit_log').find(wanted).toArray();
      return found.map(({ target }) => target.id as string).sort();
    });
  });
});

describe('faults: API servers killed during replies without an Idempotency-Key', function () {
  this.timeout(sized({ short: 240_000, long: 900_000 }));
  // An API server that dies leaves the reply to the workers.
  const used = useKilledApis({ apis: 1, workers: 1 });

  it('leave an audit entry of each reply, within 10 s', async () => {
    const { pipeline, apis, db } = used;
    const { accountId, sourceId: channelId } = await pipeline.addChannel();
    const key = await addKey(pipeline, accountId);
    const conversation = { external_id: 'chat-1' };
    const id = await applyActions(pipeline.store, { accountId, channelId }, [
      visitorSays('chat-1', 'Hello'),
      { kind: 'accept_handoff', conversation },
    ]);
    const path = `/conversations/${id}/messages`;
    await writeDuringKills(apis, (number) => post(apis, key, path, { text: `Reply ${number}` }));
    await until(async () => (await pipeline.queued()).waiting === 0);
    const replies = await db
      .collection('conversation_messages')
      .find({ conversation_id: id, author: 'agent' })
      .toArray();
    const ids = replies.map(({ _id }) => `aud_${_id}`).sort();
    await expectEntries('reply', ids, async () => {
      const found = await db.collection('audit_log').find({ action: 'conversation.replied' }).toArray();
      return found.map(({ _id }) => String(_id)).sort();
    });
  });
});

describe('faults: API servers killed during changes of webhook subscriptions', function () {
  this.timeout(sized({ short: 240_000, long: 900_000 }));
  const used = useKilledApis({ apis: 1, workers: 0 });

  it('leave an audit entry of each change, and confirm none that was not made', async () => {
    const { pipeline, apis, db } = used;
    const { accountId } = await pipeline.addSource();
    const key = await addKey(pipeline, accountId);
    for (let writer = 0; writer < WRITERS; writer++)
      await post(apis, key, '/webhooks', { target_url: `https://1.1.1.1/${writer}`, events: ['*'] });
    const made = await pipeline.store.subscriptions.listSubscriptions(accountId);
    const ids = made.map(({ subscription_id }) => subscription_id);
    await writeDuringKills(apis, (number) =>
      call(apis, key, 'PATCH', `/webhooks/${ids[number % WRITERS]}`, { name: `Name ${number}` }),
    );
    const after = await pipeline.store.subscriptions.listSubscriptions(accountId);
    const changes = after.reduce((sum, { version }) => sum + version - 1, 0);
    const entries = await db.collection('audit_log').find({ action: 'webhook.changed' }).toArray();
    const unconfirmed = entries.filter((one) => one.unconfirmed === true).length;
    report({
      ...{ test: 'no change without its audit entry', times: KILLS, asked: 'an entry of each change' },
      done: 'SIGKILL of an API server during changes of webhook subscriptions',
      seen: `${changes} changes, ${entries.length} entries, ${unconfirmed} of them not confirmed`,
    });
    expect(changes).to.be.above(KILLS);
    expect(entries.length).to.be.at.least(changes);
    expect(entries.length - unconfirmed).to.be.at.most(changes);
  });
});

describe('faults: API servers killed during changes in the dashboard', function () {
  this.timeout(sized({ short: 240_000, long: 900_000 }));
  const used = useKilledApis({ apis: 1, workers: 0 });
  let accountId: string;
  let cookie: string;
  before(async () => {
    ({ accountId } = await used.pipeline.addSource());
    cookie = await addOwner(used.pipeline, used.apis, accountId);
  });
  const change = (method: 'POST' | 'PATCH' | 'PUT', path: string, body: object) =>
    send(`${used.apis.urls[0]}${DASHBOARD_API}${path}`, method, { cookie }, body);

  it('leave an entry of each change of a source, and confirm none that was not made', async () => {
    const { pipeline, apis, db } = used;
    const ids: string[] = [];
    for (let writer = 0; writer < WRITERS; writer++)
      ids.push((await pipeline.addSource({ accountId })).sourceId);
    await writeDuringKills(apis, (number) => {
      const path = `/sources/${ids[number % WRITERS]}`;
      return number % 16 < WRITERS
        ? change('PATCH', path, { name: `Name ${number}` })
        : change('PUT', `${path}/active`, { active: true });
    });
    const sources = await Promise.all(ids.map((id) => pipeline.store.sources.findSource(id)));
    const changes = sources.reduce((sum, source) => sum + (source?.version ?? 1) - 1, 0);
    const wanted = { action: { $in: ['source.changed', 'source.activated'] }, 'target.id': { $in: ids } };
    const entries = await db.collection('audit_log').find(wanted).toArray();
    const unconfirmed = entries.filter((one) => one.unconfirmed === true).length;
    report({
      ...{ test: 'no change without its audit entry', times: KILLS, asked: 'an entry of each change' },
      done: 'SIGKILL of an API server during changes of sources in the dashboard',
      seen: `${changes} changes, ${entries.length} entries, ${unconfirmed} of them not confirmed`,
    });
    expect(changes).to.be.above(KILLS);
    expect(entries.length).to.be.at.least(changes);
    expect(entries.length - unconfirmed).to.be.at.most(changes);
  });

  it('leave an entry of each revoked key, and confirm none that was not revoked', async () => {
    const { pipeline, apis, db } = used;
    const deps = { ...pipeline.store, now: Date.now };
    await writeDuringKills(apis, async () => {
      const made = await createKey(deps, { accountId, name: 'A key', scopes: ['webhooks'], expiresAt: null });
      if (made.status !== 'created') throw new Error(made.status);
      await change('POST', `/keys/${made.apiKey.key_id}/revoke`, {});
    });
    const gone = await db
      .collection('api_keys')
      .find({ account_id: accountId, revoked_at: { $ne: null } })
      .toArray();
    const revoked = gone.map(({ _id }) => String(_id));
    const entries = await db.collection('audit_log').find({ action: 'key.revoked' }).toArray();
    const idsOf = (some: typeof entries) => some.map(({ target }) => target.id as string);
    const confirmed = entries.filter((one) => one.unconfirmed !== true);
    report({
      ...{ test: 'no change without its audit entry', times: KILLS, asked: 'an entry of each revoked key' },
      done: 'SIGKILL of an API server during revocations of API keys in the dashboard',
      seen: `${revoked.length} revoked, ${entries.length} entries, ${entries.length - confirmed.length} of them not confirmed`,
    });
    expect(revoked.length).to.be.above(KILLS);
    expect(idsOf(entries)).to.include.members(revoked);
    expect(revoked).to.include.members(idsOf(confirmed));
  });
});

/** An owner who is signed in to the dashboard. Returns the session cookie. */
async function addOwner(
  { store }: KilledApis['pipeline'],
  { urls }: ApiProcesses,
  accountId: string,
): Promise<string> {
  const made = await createOwnerLink({ ...store, now: Date.now }, accountId);
  if (made.status !== 'created') throw new Error(made.status);
  const person = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' };
  const headers = await send(
    `${urls[0]}${DASHBOARD_API}/welcome`,
    'POST',
    {},
    { token: made.token, ...person },
  );
  return headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

const post = (apis: ApiProcesses, key: string, path: string, body: object) =>
  call(apis, key, 'POST', path, body);

const call = (
  { urls }: ApiProcesses,
  key: string,
  method: 'POST' | 'PATCH',
  path: string,
  body: object,
): Promise<Headers> => send(`${urls[0]}/api/public${path}`, method, { authorization: `Bearer ${key}` }, body);

async function send(
  url: string,
  method: 'POST' | 'PATCH' | 'PUT',
  headers: Readonly<Record<string, string>>,
  body: object,
): Promise<Headers> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  await response.text();
  return response.headers;
}
