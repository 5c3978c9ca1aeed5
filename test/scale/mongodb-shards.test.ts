import { createKeyspace } from '@sluice/redis/keyspace';
import { connectStore } from '@sluice/store/connect';
import { expect } from 'chai';
import { readPage } from '../docs/support.ts';
import { startSteppingDown } from '../faults/support/stepping-down.ts';
import { useService } from '../support/service-process.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { cancel, createSource, groupOf, remove, repeated, upsert } from '../worker/support/groups.ts';
import { openTestStores } from '../worker/support/stores.ts';
import { listenToCommands, type SentCommand } from './support/mongo-commands.ts';

type Fields = Readonly<Record<string, unknown>>;

/** One write of a command: its query and its update. */
interface Write {
  readonly filter: Fields;
  readonly command: SentCommand;
}

/** The shard keys that docs/scaling.md recommends to operators. */
const KEYS = new Map(
  [
    ...readPage('docs/scaling.md').matchAll(
      /^sh\.shardCollection\("sluice\.(\w+)", \{ (\w+): "hashed" \}\)$/gm,
    ),
  ].map(([, collection, key]) => [collection as string, key as string]),
);

/** The write concern that docs/running.md documents, and the timeout for a majority that cannot be reached. */
const CONFIRMED = { w: 'majority', j: true, wtimeout: 10_000 };

/**
 * A sharded MongoDB rejects an upsert without the whole shard key, and sends an update or delete without it to every
 * shard. It detects a duplicate `_id` only within one shard. No sharded cluster runs here, so the test checks the
 * commands of a real worker against these rules. The MongoDB behind it reports sessions, as a router does: without them
 * the driver adds no transaction numbers.
 */
describe('a sharded MongoDB with the keys that docs/scaling.md names:', () => {
  const stores = use(openTestStores);
  const primary = use(() => startSteppingDown(stores.mongoUrl));
  const listener = use(() => listenToCommands(beforeMongo(stores.mongoUrl, primary.url)));
  useService('worker', () => ({ ...stores.env, MONGO_URL: listener.url }));
  before(doAllThatAWorkerDoes);

  async function doAllThatAWorkerDoes(): Promise<void> {
    const source = createSource();
    const first = source.admit(upsert('Yoga', 'free'));
    await stores.producer.enqueueActions(groupOf(first, repeated(first), source.admit(upsert('Chess', '1'))));
    await stores.producer.enqueueActions(
      groupOf(source.admit(cancel('Yoga')), source.admit(remove('Chess'))),
    );
    await stores.producer.enqueueRefusals(source.refusals('No start'));
    const letter = source.admit(upsert('Again', '1'));
    await stores.producer.enqueueActions({ ...groupOf(letter), group_id: 'rerun_1' });
    const keyspace = createKeyspace(stores.env.SLUICE_NAMESPACE as string);
    const minute = Math.floor(Date.now() / 60_000);
    await stores.redis.hset(keyspace.folded(source.source_id, minute), 'signature_invalid', 3);
    const folded = `${source.source_id}|${source.account_id}|${minute}`;
    await stores.redis.zadd(keyspace.foldedIndex, minute, folded);
    await until(async () => (await stores.deliveries(source.source_id)).size >= 8, { what: 'all is logged' });
  }

  const sharded = () => listener.commands.filter(({ collection }) => KEYS.has(collection));
  const keyOf = ({ collection }: SentCommand) => KEYS.get(collection) as string;
  const writes = (): Write[] =>
    sharded().flatMap((command) =>
      (['updates', 'deletes'] as const).flatMap((many) =>
        ((command.body[many] ?? []) as { readonly q: Fields }[]).map(({ q }) => ({ filter: q, command })),
      ),
    );

  it('the keys cover every collection that grows without bound', () => {
    expect([...KEYS]).to.deep.equal([
      ['events', '_id'],
      ['deliveries', '_id'],
    ]);
  });

  it('every update, replacement and upsert contains the shard key by equality, so it goes to one shard', () => {
    expect(writes().map(({ command }) => command.collection)).to.include.members([...KEYS.keys()]);
    for (const { filter, command } of writes())
      expect(filter[keyOf(command)], JSON.stringify(command.body)).to.be.a('string');
  });

  it('every write requests majority and journal within a timeout, and has a number that makes it retryable', () => {
    const written = sharded().filter(({ name }) =>
      ['insert', 'update', 'delete', 'findAndModify'].includes(name),
    );
    expect(new Set(written.map(({ collection }) => collection))).to.have.all.keys(...KEYS.keys());
    for (const { body } of written) {
      expect(body.writeConcern, JSON.stringify(body)).to.deep.equal(CONFIRMED);
      expect(body, 'a server recognises a retry by these two').to.include.keys('lsid', 'txnNumber');
    }
  });

  it('every inserted document has the shard key, and no update changes it', () => {
    const inserts = sharded().filter(({ name }) => name === 'insert');
    expect(inserts).to.have.length.above(0);
    for (const command of inserts)
      for (const document of command.body.documents as Fields[])
        expect(document[keyOf(command)]).to.be.a('string');
    for (const { body, ...command } of sharded())
      for (const { u } of (body.updates ?? []) as { readonly u: Fields }[])
        for (const changed of [u, u.$set, u.$setOnInsert] as (Fields | undefined)[])
          expect(changed ?? {}).not.to.have.property(KEYS.get(command.collection) as string);
  });

  it('the queries for a group go only to the shards with its data', () => {
    const finds = sharded().filter(({ name }) => name === 'find');
    expect(finds).to.have.length.above(0);
    for (const command of finds)
      expect((command.body.filter as Fields)[keyOf(command)], JSON.stringify(command.body)).to.have.property(
        '$in',
      );
  });

  it('every command is one that a router of a sharded cluster supports', () => {
    const names = new Set(sharded().map(({ name }) => name));
    expect(['find', 'getMore', 'insert', 'update', 'createIndexes', 'listIndexes']).to.include.members([
      ...names,
    ]);
  });

  it('only the index on _id is unique, because a shard key hashed from _id cannot enforce another', async () => {
    const store = connectStore({ url: listener.url, namespace: stores.env.SLUICE_NAMESPACE as string });
    await store.opened();
    await store.ensureIndexes();
    await store.close();
    const made = listener.commands.filter(
      ({ name, collection }) => name === 'createIndexes' && KEYS.has(collection),
    );
    expect(made).to.have.length.above(0);
    for (const { body } of made)
      for (const index of body.indexes as Fields[])
        expect(index.unique ?? false, String(index.name)).to.equal(false);
  });
});

/** The same database through the proxy in front of it. The driver connects to no other address. */
function beforeMongo(mongoUrl: string, before: string): string {
  const url = new URL(mongoUrl);
  url.host = new URL(before).host;
  url.searchParams.set('directConnection', 'true');
  return url.href;
}
