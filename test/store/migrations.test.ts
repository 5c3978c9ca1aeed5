import { readFileSync } from 'node:fs';
import { connectStore, type Store } from '@sluice/store/connect';
import { migrate } from '@sluice/store/schema/migrate';
import { MIGRATIONS, type Migration } from '@sluice/store/schema/migrations';
import { schemaCollection } from '@sluice/store/schema/schema-version';
import { BSON } from 'bson';
import { expect } from 'chai';
import { openTestMongo, type TestMongo } from '../support/mongo-server.ts';

const KNOWN = MIGRATIONS.length;

type Stored = { readonly _id: string } & Readonly<Record<string, unknown>>;

/** The documents of an installation that version 0.1.0 wrote, by collection. */
const VERSION_0_1_0 = BSON.EJSON.parse(
  readFileSync(new URL('fixtures/version-0.1.0.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, readonly Stored[]>>;
const of010 = (collection: string): readonly Stored[] => VERSION_0_1_0[collection] ?? [];

/** A document in the form in which the store returns it: times in milliseconds. */
function asRead({ _id, schema_version: _, ...fields }: Stored, id: string): Record<string, unknown> {
  return { [id]: _id, ...(withTimes(fields) as object) };
}

function withTimes(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  if (Array.isArray(value)) return value.map(withTimes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withTimes(one)]));
}

describe('migrations', () => {
  let mongo: TestMongo;
  let store: Store;
  beforeEach(async () => {
    mongo = await openTestMongo('migrations');
    store = connectStore({ url: mongo.url, namespace: 'unused' });
    await store.opened();
  });
  afterEach(async () => {
    await store?.close();
    await mongo?.close();
  });

  const schema = () => schemaCollection(mongo.db).findOne({ _id: 'schema' });
  const lock = (fields: object) =>
    schemaCollection(mongo.db).insertOne({
      _id: 'schema',
      version: 0,
      oldest_reader: 0,
      locked_by: 'a worker that was killed',
      locked_until: new Date(0),
      ...fields,
    });

  /** Migrations that record their runs. The migration named `breaks` fails in its first run. */
  function recorded(names: readonly string[], breaks?: string) {
    const ran: string[] = [];
    const migrations = names.map(
      (name): Migration => ({
        name,
        oldestReader: 0,
        async run(db) {
          ran.push(name);
          await db.collection('sources').findOne({});
          if (name === breaks && ran.filter((one) => one === name).length === 1) throw new Error('cut short');
        },
      }),
    );
    return { ran, migrations };
  }

  it('let this version read all that version 0.1.0 wrote', async () => {
    for (const [name, documents] of Object.entries(VERSION_0_1_0))
      await mongo.db.collection<Stored>(name).insertMany([...documents]);
    expect(await store.schema()).to.deep.equal({ status: 'older', version: 2, known: KNOWN });
    const current = { status: 'current', version: KNOWN, known: KNOWN };
    expect(await Promise.all([store.migrate(), store.migrate()])).to.deep.equal([current, current]);
    const { version, oldest_reader, locked_by } = (await schema()) ?? {};
    const migrated = { version: KNOWN, oldest_reader: 2, locked_by: null };
    expect({ version, oldest_reader, locked_by }).to.deep.equal(migrated);

    const [source] = of010('sources').map((one) => asRead(one, 'source_id'));
    const { keep_bodies: _, ...unchanged } = source ?? {};
    expect(await store.sources.findSource('src_RPkFyiaEIKKqem5nOYtaFY')).to.deep.equal(unchanged);
    expect(await mongo.db.collection('sources').findOne({})).not.to.have.property('keep_bodies');

    const reads: readonly [string, string, (id: string) => Promise<object | undefined>][] = [
      ['accounts', 'account_id', store.accounts.findAccount],
      ['api_keys', 'key_id', store.apiKeys.findApiKey],
      ['users', 'user_id', store.users.findUser],
      ['sessions', 'token_hash', store.sessions.findSession],
      ['links', 'token_hash', store.links.findLink],
      ['deliveries', 'delivery_id', store.deliverySearch.findDelivery],
    ];
    for (const [collection, id, find] of reads)
      for (const one of of010(collection))
        expect(await find(one._id), collection).to.deep.equal(asRead(one, id));

    const entries = of010('audit_log').map((one) => asRead(one, 'audit_id'));
    const { items } = await store.auditLog.pageEntries({ account_id: 'demo', limit: 10 });
    expect(items).to.have.deep.members(entries);

    const { events } = await store.events.loadPortion(of010('events').map(({ _id }) => _id));
    for (const { _id, title, outcomes, revision, state, imported } of of010('events')) {
      const event = events.get(_id);
      expect(event?.identity.title).to.equal(title);
      expect(event).to.include({ recent: outcomes, revision });
      expect(event?.imported).to.deep.equal(imported);
      expect(event?.state.content?.sequence ?? null).to.equal((state as { content: number | null }).content);
    }
    for (const { account_id, source_id, import_id, event_ids } of of010('imports')) {
      const found = await store.imports.findImport(`${account_id}`, `${source_id}`, `${import_id}`);
      expect(found).to.deep.include({ first_row: 2, last_row: 3, accepted: 2, event_ids, undone_at: null });
    }
  });

  it('change nothing when they run again', async () => {
    await store.migrate();
    const before = await schema();
    const names: string[] = [];
    await store.migrate({ onMigration: ({ name }) => void names.push(name) });
    expect(names).to.deep.equal([]);
    expect(await schema()).to.deep.equal(before);
  });

  it('run once each and in order when several processes start at once', async () => {
    const { ran, migrations } = recorded(['one', 'two', 'three']);
    await Promise.all(Array.from({ length: 5 }, () => migrate(mongo.db, { migrations })));
    expect(ran).to.deep.equal(['one', 'two', 'three']);
    expect((await schema())?.version).to.equal(3);
  });

  it('resume with the interrupted migration', async () => {
    const { ran, migrations } = recorded(['one', 'two', 'three'], 'two');
    const error = await migrate(mongo.db, { migrations }).catch((failure: Error) => failure.message);
    expect(error).to.equal('cut short');
    expect((await schema())?.version).to.equal(1);
    await migrate(mongo.db, { migrations });
    expect(ran).to.deep.equal(['one', 'two', 'two', 'three']);
  });

  it('wait for another process, until the lock of a killed one expires', async () => {
    const until = new Date(Date.now() + 1000);
    await lock({ locked_until: until });
    const { ran, migrations } = recorded(['one']);
    await migrate(mongo.db, { migrations });
    expect(Date.now()).to.be.at.least(until.getTime());
    expect(ran).to.deep.equal(['one']);
  });

  it('leave a newer database unchanged, and report whether it can be read', async () => {
    await lock({ version: KNOWN + 2, oldest_reader: KNOWN });
    expect(await store.migrate()).to.deep.equal({ status: 'newer', version: KNOWN + 2, known: KNOWN });
    await schemaCollection(mongo.db).updateOne({ _id: 'schema' }, { $set: { oldest_reader: KNOWN + 1 } });
    expect(await store.migrate()).to.deep.equal({ status: 'too_new', version: KNOWN + 2, known: KNOWN });
    expect((await schema())?.version).to.equal(KNOWN + 2);
  });
});
