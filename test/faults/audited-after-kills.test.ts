import { setTimeout as sleep } from 'node:timers/promises';
import { createKey } from '@sluice/accounts/keys/create-key';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { expect } from 'chai';
import type { mongo } from 'mongoose';
import { addKey, signInOwner } from '../support/api-processes.ts';
import { applyActions, visitorSays } from '../support/conversations.ts';
import { seededRandom } from '../support/load.ts';
import { LONG, seed, sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { report } from './support/report.ts';
import { useKilledApis } from './support/use-killed-apis.ts';

const KILLS = sized({ short: 2, middle: 3, long: 30 });
const WRITERS = 8;
/** Writes between two kills, at least. */
const BETWEEN = sized({ short: 20, middle: 40 });

/** Writes of one kind, and what shows that they were made. */
interface Writes {
  readonly write: (number: number) => Promise<unknown>;
  /** The records that were changed, each as often as it was. */
  readonly written: () => Promise<readonly string[]>;
  readonly actions: readonly string[];
  /** The record of an audit entry. Default: its target. */
  readonly recordOf?: (entry: mongo.Document) => string;
}

describe('API servers killed during writes without an Idempotency-Key', function () {
  this.timeout(LONG ? 900_000 : 240_000);
  // An API server that dies leaves a reply to the workers.
  const used = useKilledApis({ apis: 1, workers: 1 });
  let accountId: string;
  let key: string;
  let cookie: string;
  before(async () => {
    ({ accountId } = await used.pipeline.addSource());
    key = await addKey(used.pipeline, accountId);
    cookie = await signInOwner(used.pipeline, accountId, used.apis.urls[0] as string);
  });

  async function send(path: string, method: string, headers: Record<string, string>, body: object) {
    const response = await fetch(`${used.apis.urls[0]}${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    await response.text();
  }
  const byKey = (method: 'POST' | 'PATCH', path: string, body: object) =>
    send(`/api/public${path}`, method, { authorization: `Bearer ${key}` }, body);
  const byOwner = (method: 'POST' | 'PATCH' | 'PUT', path: string, body: object) =>
    send(`${DASHBOARD_API}${path}`, method, { cookie }, body);

  /** Sends numbered writes from several writers during kills. A write that a kill cuts off is not repeated. */
  async function writeDuringKills(write: Writes['write']): Promise<void> {
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
      const enough = sent + BETWEEN + Math.floor(random() * BETWEEN);
      await until(() => sent >= enough);
      await used.apis.replace(0);
    }
    isOver = true;
    await writers;
  }

  const KINDS: Readonly<Record<string, () => Promise<Writes>>> = {
    async lead() {
      const leads = () => used.db.collection('leads').find({ account_id: accountId }).toArray();
      return {
        write: (number) => byKey('POST', '/leads', { name: `Lead ${number}` }),
        written: async () => (await leads()).map(({ _id }) => String(_id)),
        actions: ['lead.created'],
      };
    },
    async reply() {
      const channel = await used.pipeline.addChannel();
      const ofChannel = await addKey(used.pipeline, channel.accountId);
      const id = await applyActions(
        used.pipeline.store,
        { accountId: channel.accountId, channelId: channel.sourceId },
        [visitorSays('chat-1', 'Hello'), { kind: 'accept_handoff', conversation: { external_id: 'chat-1' } }],
      );
      const [path, headers] = [`/conversations/${id}/messages`, { authorization: `Bearer ${ofChannel}` }];
      const replies = { conversation_id: id, author: 'agent' };
      return {
        write: (number) => send(`/api/public${path}`, 'POST', headers, { text: `Reply ${number}` }),
        async written() {
          await until(async () => (await used.pipeline.queued()).waiting === 0);
          const found = await used.db.collection('conversation_messages').find(replies).toArray();
          return found.map(({ _id }) => `aud_${_id}`);
        },
        actions: ['conversation.replied'],
        recordOf: ({ _id }) => String(_id),
      };
    },
    async subscription() {
      for (let writer = 0; writer < WRITERS; writer++)
        await byKey('POST', '/webhooks', { target_url: `https://1.1.1.1/${writer}`, events: ['*'] });
      const list = () => used.pipeline.store.subscriptions.listSubscriptions(accountId);
      const ids = (await list()).map(({ subscription_id }) => subscription_id);
      return {
        write: (number) => byKey('PATCH', `/webhooks/${ids[number % WRITERS]}`, { name: `Name ${number}` }),
        written: async () =>
          (await list()).flatMap(({ subscription_id, version }) => Array(version - 1).fill(subscription_id)),
        actions: ['webhook.changed'],
      };
    },
    async source() {
      const { sources } = used.pipeline.store;
      const ids: string[] = [];
      for (let writer = 0; writer < WRITERS; writer++)
        ids.push((await used.pipeline.addSource({ accountId })).sourceId);
      return {
        write(number) {
          const path = `/sources/${ids[number % WRITERS]}`;
          return number % 16 < WRITERS
            ? byOwner('PATCH', path, { name: `Name ${number}` })
            : byOwner('PUT', `${path}/active`, { active: true });
        },
        async written() {
          const found = await Promise.all(ids.map((id) => sources.findSource(id)));
          return found.flatMap((one, i) => Array((one?.version ?? 1) - 1).fill(ids[i]));
        },
        actions: ['source.changed', 'source.activated'],
      };
    },
    async 'revoked key'() {
      const deps = { ...used.pipeline.store, now: Date.now };
      const revoked = { account_id: accountId, revoked_at: { $ne: null } };
      return {
        async write() {
          const made = await createKey(deps, { accountId, name: 'A', scopes: ['webhooks'], expiresAt: null });
          if (made.status !== 'created') throw new Error(made.status);
          await byOwner('POST', `/keys/${made.apiKey.key_id}/revoke`, {});
        },
        written: async () =>
          (await used.db.collection('api_keys').find(revoked).toArray()).map(({ _id }) => String(_id)),
        actions: ['key.revoked'],
      };
    },
  };

  for (const [kind, prepare] of Object.entries(KINDS).slice(0, sized({ short: 1, middle: 5 })))
    it(`leave an audit entry of each ${kind}, and confirm none that was not written`, async () => {
      const { write, written, actions, recordOf = ({ target }) => String(target.id) } = await prepare();
      await writeDuringKills(write);
      const records = await written();
      const entries = async () =>
        (await used.db
          .collection('audit_log')
          .find({ action: { $in: actions } })
          .toArray()) as mongo.Document[];
      // They may follow within 10 s.
      const hasAll = async () => missingIn((await entries()).map(recordOf), records).length === 0;
      await until(hasAll, { withinMs: 20_000 }).catch(() => undefined);
      const all = await entries();
      const confirmed = all.filter(({ unconfirmed }) => unconfirmed !== true);
      report(`${records.length} written, ${all.length} entries, ${confirmed.length} confirmed`, KILLS);
      expect(records.length).to.be.above(KILLS);
      expect(missingIn(all.map(recordOf), records), 'written without an entry').to.deep.equal([]);
      expect(missingIn(records, confirmed.map(recordOf)), 'confirmed and not written').to.deep.equal([]);
    });
});

/** Those of `wanted` that `all` does not have, each as often as it is there. */
function missingIn(all: readonly string[], wanted: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return wanted.filter((one) => {
    const left = counts.get(one) ?? 0;
    counts.set(one, left - 1);
    return left <= 0;
  });
}
