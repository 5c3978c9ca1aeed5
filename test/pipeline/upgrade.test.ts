import { randomBytes } from 'node:crypto';
import { MIGRATIONS } from '@sluice/store/schema/migrations';
import { schemaCollection } from '@sluice/store/schema/schema-version';
import { expect } from 'chai';
import { openTestMongo, type TestMongo } from '../support/mongo-server.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { sharedRedisUrl } from '../support/shared-redis.ts';
import { until } from '../support/until.ts';

const KNOWN = MIGRATIONS.length;
const SERVICES = ['ingress', 'worker', 'api'] as const;

describe('an upgrade', function () {
  this.timeout(240_000);
  let mongo: TestMongo;
  const started: ServiceProcess[] = [];
  beforeEach(async () => {
    mongo = await openTestMongo('upgrade');
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((service) => service.kill('SIGKILL')));
    await mongo?.close();
  });

  function start(name: (typeof SERVICES)[number]): ServiceProcess {
    const service = startService(name, {
      REDIS_URL: sharedRedisUrl(),
      MONGO_URL: mongo.url,
      SLUICE_NAMESPACE: mongo.database,
      SLUICE_SECRET_KEY: randomBytes(32).toString('base64'),
      DRAIN_MS: '100',
    });
    started.push(service);
    return service;
  }
  const writeSchema = (fields: { version: number; oldest_reader: number }) =>
    schemaCollection(mongo.db).insertOne({
      _id: 'schema',
      locked_by: null,
      locked_until: new Date(0),
      ...fields,
    });

  it('migrates the database before a worker or an API is ready, whichever starts first', async () => {
    await mongo.db
      .collection('sources')
      .insertOne({ _id: 'src_old', account_id: 'acc_1', name: 'Old' } as never);
    await Promise.all([start('worker').ready(), start('api').ready()]);
    const source = await mongo.db.collection('sources').findOne({});
    expect(source).to.include({ body_storage: 'all' }).and.not.have.property('keep_bodies');
    expect(await schemaCollection(mongo.db).findOne({})).to.include({ version: KNOWN });
    // One process may do one step of the migration, and the other the next.
    const migrated = started
      .flatMap(({ log }) => log.filter(({ event }) => event === 'schema.migrating'))
      .sort((one, other) => Date.parse(String(one.time)) - Date.parse(String(other.time)));
    expect(migrated.map(({ version }) => version)).to.deep.equal(MIGRATIONS.map((_, i) => i + 1));
  });

  for (const name of SERVICES) {
    it(`is not undone by an older ${name}: it exits with 78 and states why, if it cannot read the database`, async () => {
      await writeSchema({ version: KNOWN + 2, oldest_reader: KNOWN + 1 });
      const service = start(name);
      await until(() => service.ended() !== undefined, { what: `${name} ends` });
      expect(service.ended()).to.equal(78);
      const said = service.log.find(({ event }) => event === 'schema.too_new');
      expect(said).to.include({ level: 60, version: KNOWN + 2, known: KNOWN });
      expect(said?.msg)
        .to.contain('Start the newer version of Sluice again')
        .and.contain('docs/operations.md');
      expect(await mongo.db.listCollections({}, { nameOnly: true }).toArray()).to.have.length(1);
    });
  }

  it('can be reverted if the older version can still read the database', async () => {
    await writeSchema({ version: KNOWN + 1, oldest_reader: KNOWN });
    await Promise.all(SERVICES.map((name) => start(name).ready()));
    expect(await schemaCollection(mongo.db).findOne({})).to.include({ version: KNOWN + 1 });
  });

  it('can be reverted if the newer version has changed an index; the index stays unchanged', async () => {
    await writeSchema({ version: KNOWN + 1, oldest_reader: KNOWN });
    const deliveries = mongo.db.collection('deliveries');
    // Here it is a partial index with the same name.
    const name = await deliveries.createIndex({ event_id: 1, received_at: -1 });
    await Promise.all([start('worker').ready(), start('api').ready()]);
    const indexes = await deliveries.listIndexes().toArray();
    expect(indexes.find((index) => index.name === name)).not.to.have.property('partialFilterExpression');
    expect(indexes.map(({ key }) => key)).to.deep.include({ received_at: 1 });
  });
});
