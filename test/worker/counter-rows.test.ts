import { createFoldedRefusals } from '@sluice/admission/folded-refusals';
import { createKeyspace } from '@sluice/admission/keyspace';
import { expect } from 'chai';
import { createWriteCounterRows } from '../../services/worker/src/log/write-counter-rows.ts';
import { uniqueNamespace } from '../support/shared-redis.ts';
import { until } from '../support/until.ts';
import { createSource } from './support/groups.ts';
import { openTestStores, type TestStores } from './support/stores.ts';
import { startWorkerProcess } from './support/worker-process.ts';

const MINUTE_MS = 60_000;

describe('counter rows', () => {
  let stores: TestStores;

  before(async () => {
    stores = await openTestStores();
    await stores.store.ensureIndexes();
  });
  after(() => stores?.close());

  /** Counts as the admission script does (admit.lua.ts). */
  async function fold(
    namespace: string,
    source: ReturnType<typeof createSource>,
    minute: number,
    count: number,
  ) {
    const keyspace = createKeyspace(namespace);
    await stores.redis.hset(keyspace.folded(source.source_id, minute), 'signature_invalid', count);
    await stores.redis.zadd(
      keyspace.foldedIndex,
      minute,
      `${source.source_id}|${source.account_id}|${minute}`,
    );
  }

  const rowsOf = async (source_id: string) => [...(await stores.deliveries(source_id)).values()];
  const thisMinute = () => Math.floor(Date.now() / MINUTE_MS);

  it('a minute that goes on has one row whose count grows', async () => {
    const [namespace, source] = [uniqueNamespace(), createSource()];
    const folded = createFoldedRefusals({ redis: stores.redis, keyspace: createKeyspace(namespace) });
    const write = createWriteCounterRows({ folded, log: stores.store.deliveries });
    for (const count of [3, 70, 70]) {
      await fold(namespace, source, thisMinute(), count);
      await write();
    }
    const rows = await rowsOf(source.source_id);
    expect(rows).to.have.length(1);
    expect(rows[0]).to.include({
      count: 70,
      outcome: 'rejected',
      http_status: 401,
      code: 'signature_invalid',
      request_id: null,
    });
    expect(await folded.read(), 'the minute is not over').to.have.length(1);
  });

  it('a minute that is over is logged and forgotten, by several workers at once', async () => {
    const [namespace, source] = [uniqueNamespace(), createSource()];
    const folded = createFoldedRefusals({ redis: stores.redis, keyspace: createKeyspace(namespace) });
    await fold(namespace, source, thisMinute() - 2, 41);
    const workers = [1, 2, 3].map(() => createWriteCounterRows({ folded, log: stores.store.deliveries }));
    await Promise.all(workers.map((write) => write()));
    expect((await rowsOf(source.source_id)).map(({ count }) => count)).to.deep.equal([41]);
    expect(await folded.read()).to.deep.equal([]);
  });

  it('keeps a count in Redis until it stands in the log', async () => {
    const [namespace, source] = [uniqueNamespace(), createSource()];
    const folded = createFoldedRefusals({ redis: stores.redis, keyspace: createKeyspace(namespace) });
    await fold(namespace, source, thisMinute() - 2, 5);
    const away = { upsertCounterRow: () => Promise.reject(new Error('MongoDB is away')) };
    const failure = await createWriteCounterRows({ folded, log: away })().catch((error: unknown) => error);
    expect(failure).to.be.an('error');
    await createWriteCounterRows({ folded, log: stores.store.deliveries })();
    expect((await rowsOf(source.source_id)).map(({ count }) => count)).to.deep.equal([5]);
  });

  it('are written by a worker process by itself', async () => {
    const source = createSource();
    const { SLUICE_NAMESPACE = '' } = stores.env;
    await fold(SLUICE_NAMESPACE, source, thisMinute() - 2, 12);
    const worker = await startWorkerProcess(stores.env);
    await until(async () => (await rowsOf(source.source_id)).length === 1);
    expect(await worker.end('SIGTERM')).to.equal(0);
  });
});
