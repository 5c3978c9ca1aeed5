import { createFoldedRefusals } from '@sluice/admission/folded-refusals';
import type { Delivery } from '@sluice/contract/delivery/delivery';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import { OLD_SECRET_REFUSED } from '@sluice/monitoring/activity';
import { createActivityReader } from '@sluice/monitoring/read-activity';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { createWriteCounterRows } from '../../services/worker/src/delivery-log/write-counter-rows.ts';
import { createActivityPublisher } from '../../services/worker/src/publish-activity.ts';
import {
  createWatchRefusals,
  type WatchRefusalsDeps,
} from '../../services/worker/src/refusing/watch-refusals.ts';
import { startService } from '../support/service-process.ts';
import { uniqueNamespace } from '../support/shared-redis.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { until } from '../support/until.ts';
import { createSource } from './support/groups.ts';
import { useTestStores } from './support/stores.ts';

describe('counter rows', () => {
  const stores = useTestStores();

  /** Counts as the admission script does (admit.lua.ts). */
  async function fold(
    namespace: string,
    source: ReturnType<typeof createSource>,
    minute: number,
    count: number,
    field = 'signature_invalid',
  ) {
    const keyspace = createKeyspace(namespace);
    await stores.redis.hset(keyspace.folded(source.source_id, minute), field, count);
    await stores.redis.zadd(
      keyspace.foldedIndex,
      minute,
      `${source.source_id}|${source.account_id}|${minute}`,
    );
  }

  const rowsOf = async (source_id: string) => [...(await stores.deliveries(source_id)).values()];
  const thisMinute = () => Math.floor(Date.now() / MINUTE_MS);

  it('update one row with a growing count during the current minute', async () => {
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

  it('are written together, however many sources have counts, and again only with a new count', async () => {
    const namespace = uniqueNamespace();
    const sources = Array.from({ length: 20 }, createSource);
    const folded = createFoldedRefusals({ redis: stores.redis, keyspace: createKeyspace(namespace) });
    for (const source of sources) await fold(namespace, source, thisMinute(), 3);
    const trips: number[] = [];
    const { deliveries } = stores.store;
    const log = {
      upsertCounterRows(rows: readonly Delivery[]) {
        trips.push(rows.length);
        return deliveries.upsertCounterRows(rows);
      },
    };
    const write = createWriteCounterRows({ folded, log });
    await write();
    await fold(namespace, sources[0] as (typeof sources)[0], thisMinute(), 4);
    await write();
    expect(trips).to.deep.equal([20, 1]);
    const counts = await Promise.all(sources.map(({ source_id }) => rowsOf(source_id)));
    expect(counts.flat().map(({ count }) => count)).to.deep.equal([4, ...sources.slice(1).map(() => 3)]);
  });

  it('have a 200 and the code of an ignored request', async () => {
    const [namespace, source] = [uniqueNamespace(), createSource()];
    const folded = createFoldedRefusals({ redis: stores.redis, keyspace: createKeyspace(namespace) });
    for (const code of ['no_rule', 'ignored_by_rule']) await fold(namespace, source, thisMinute(), 3, code);
    const seen: string[] = [];
    const watch = createWatchRefusals({
      isWanted: async () => Boolean(seen.push('asked')),
    } as unknown as WatchRefusalsDeps);
    await createWriteCounterRows({ folded, log: stores.store.deliveries, onLogged: watch.counted })();
    const rows = await rowsOf(source.source_id);
    const result = { http_status: 200, outcome: 'ignored', code: null, count: 3 };
    for (const row of rows) expect(row).to.include(result);
    expect(rows.map(({ unapplied }) => unapplied)).to.have.members(['no_rule', 'ignored_by_rule']);
    expect(seen, 'it is no refusal of which an admin gets a mail').to.deep.equal([]);
  });

  it('keep a count in Redis until it is in the log', async () => {
    const [namespace, source] = [uniqueNamespace(), createSource()];
    const folded = createFoldedRefusals({ redis: stores.redis, keyspace: createKeyspace(namespace) });
    await fold(namespace, source, thisMinute() - 2, 5);
    const away = { upsertCounterRows: () => Promise.reject(new Error('MongoDB is away')) };
    const failure = await createWriteCounterRows({ folded, log: away })().catch((error: unknown) => error);
    expect(failure).to.be.an('error');
    await createWriteCounterRows({ folded, log: stores.store.deliveries })();
    expect((await rowsOf(source.source_id)).map(({ count }) => count)).to.deep.equal([5]);
  });

  it('are logged once after their minute by several workers, and count in charts, attention items and rotations like other refusals', async () => {
    const [namespace, source] = [uniqueNamespace(), createSource()];
    const keyspace = createKeyspace(namespace);
    const resources = { redis: stores.redis, keyspace };
    const publisher = createActivityPublisher({ resources, logger: silentLogger(), trouble: () => null });
    const folded = createFoldedRefusals({ ...resources, onSettled: publisher.counted });
    const minute = thisMinute() - 2;
    await fold(namespace, source, minute, 41, 'signature_invalid:previous');
    const workers = [1, 2, 3].map(() => createWriteCounterRows({ folded, log: stores.store.deliveries }));
    await Promise.all(workers.map((write) => write()));
    expect((await rowsOf(source.source_id)).map(({ count }) => count)).to.deep.equal([41]);
    expect(await folded.read(), 'deleted from Redis').to.deep.equal([]);
    await publisher.stop();
    const reader = createActivityReader(resources);
    const countsOf = async (scope: string) => {
      const slots = await reader.read(scope, 'minutes', minute * MINUTE_MS, Date.now());
      return slots.map(({ counts }) => Object.fromEntries(counts));
    };
    const counted = { 's:401': 41, 'c:signature_invalid': 41 };
    expect(await countsOf(source.account_id)).to.deep.equal([counted]);
    expect(await countsOf(source.source_id)).to.deep.equal([{ ...counted, [OLD_SECRET_REFUSED]: 41 }]);
  });

  it('leave unknown counts for a newer worker, log the others, and warn once', async () => {
    const [strange, source] = [createSource(), createSource()];
    const { SLUICE_NAMESPACE = '' } = stores.env;
    const minute = thisMinute() - 2;
    const newer = ['of_a_later_version', 'signature_invalid:unheard_of', 'signature_invalid:previous:more'];
    for (const field of newer) await fold(SLUICE_NAMESPACE, strange, minute, 7, field);
    await fold(SLUICE_NAMESPACE, strange, minute, 30);
    await fold(SLUICE_NAMESPACE, source, minute + 1, 12);
    const worker = startService('worker', stores.env);
    await until(async () => (await rowsOf(source.source_id)).length === 1, {
      what: 'a later count is logged',
    });
    const keyspace = createKeyspace(SLUICE_NAMESPACE);
    const hash = keyspace.folded(strange.source_id, minute);
    await until(async () => (await stores.redis.hlen(hash)) === newer.length, {
      what: 'the known count is deleted',
    });
    expect((await rowsOf(strange.source_id)).map(({ count }) => count)).to.deep.equal([30]);
    expect(await stores.redis.hgetall(hash)).to.deep.equal(
      Object.fromEntries(newer.map((one) => [one, '7'])),
    );
    // The other source's count is settled after this one's.
    const waiting = () => stores.redis.zcard(keyspace.foldedIndex);
    await until(async () => (await waiting()) === 1, { what: 'all known counts are deleted' });
    await worker.kill('SIGTERM');
    expect(worker.ended()).to.equal(0);
    expect(await waiting()).to.equal(1);
    const warnings = worker.log.filter(({ event }) => event === 'counter_rows.newer');
    expect(warnings.map(({ counted }) => counted)).to.have.members(newer);
  });
});
