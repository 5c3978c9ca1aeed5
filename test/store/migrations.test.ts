import { connectStore, type Store } from '@sluice/store/connect';
import { migrate } from '@sluice/store/schema/migrate';
import { MIGRATIONS, type Migration } from '@sluice/store/schema/migrations';
import { schemaCollection } from '@sluice/store/schema/schema-version';
import { expect } from 'chai';
import { openTestMongo, type TestMongo } from '../support/mongo-server.ts';

const KNOWN = MIGRATIONS.length;

/** A source as stored by a version without keep_bodies. */
const OLD_SOURCE = {
  schema_version: 1,
  account_id: 'acc_1',
  name: 'Booking platform',
  active: true,
  sealed_secret: 'v1.sealed',
  version: 3,
  rate_per_second: null,
  rate_burst: 50,
  created_at: new Date('2026-10-01T08:00:00Z'),
  secret_rotated_at: null,
};

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

  it("migrate a database without a version to the code's version, and change nothing else", async () => {
    const { insertedIds } = await mongo.db.collection<{ _id: string }>('sources').insertMany([
      { _id: 'src_old', ...OLD_SOURCE },
      { _id: 'src_off', ...OLD_SOURCE, keep_bodies: false },
    ] as never[]);
    expect(Object.values(insertedIds)).to.have.length(2);
    expect(await store.schema()).to.deep.equal({ status: 'older', version: 0, known: KNOWN });
    const current = { status: 'current', version: KNOWN, known: KNOWN };
    expect(await Promise.all([store.migrate(), store.migrate()])).to.deep.equal([current, current]);

    const sources = await mongo.db.collection('sources').find({}).sort({ _id: 1 }).toArray();
    expect(sources).to.deep.equal([
      { _id: 'src_off', ...OLD_SOURCE, keep_bodies: false, body_storage: 'none' },
      { _id: 'src_old', ...OLD_SOURCE, keep_bodies: true, body_storage: 'all' },
    ]);
    const { version, oldest_reader, locked_by } = (await schema()) ?? {};
    expect({ version, oldest_reader, locked_by }).to.deep.equal({
      version: KNOWN,
      oldest_reader: 0,
      locked_by: null,
    });
    expect(await store.sources.findSource('src_old')).to.include({
      body_storage: 'all',
      version: 3,
      rate_burst: 50,
    });
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
