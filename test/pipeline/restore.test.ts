import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connectStore } from '@sluice/store/connect';
import { expect } from 'chai';
import { judge } from '../faults/support/verdict.ts';
import { newFolder } from '../support/folder.ts';
import type { TestSource } from '../support/ingress.ts';
import { randomActions, type Sent, sendAll } from '../support/load.ts';
import { type MongoProcess, startMongo } from '../support/mongo-process.ts';
import { collect, type Pipeline, startPipeline } from '../support/pipeline.ts';
import { postUntilTaken, upsertUntilTaken } from '../support/post.ts';
import { startRedis } from '../support/redis-server.ts';
import { startService } from '../support/service-process.ts';
import { until } from '../support/until.ts';

const AFTER = 'After the restore';
type Titled = { readonly title: string | null };
const isBefore = ({ title }: Titled) => title !== AFTER;
const titleOf = ({ request }: Sent): string => JSON.parse(request.body.toString()).event.title;

/** The promises of docs/operations.md about backups of Redis's append-only file and of MongoDB. */
describe('a restored backup', function () {
  this.timeout(240_000);
  let pipeline: Pipeline;
  let backups: string;
  beforeEach(async () => {
    backups = newFolder();
    pipeline = await startPipeline({ ingress: 2, workers: 1 });
  });
  afterEach(() => pipeline?.stop());

  const redisBackup = () => join(backups, 'redis');
  const mongoBackup = () => join(backups, 'mongodb');
  const backUpRedis = () => cp(pipeline.redis.dir, redisBackup(), { recursive: true });

  /** Replaces the data of Redis with other data, or with none, while the services run. */
  async function replaceRedis(from?: string): Promise<void> {
    await pipeline.redis.kill('SIGKILL');
    await rm(pipeline.redis.dir, { recursive: true, force: true });
    await cp(from ?? newFolder(), pipeline.redis.dir, { recursive: true });
    await pipeline.redis.restart();
    await Promise.all(pipeline.ingresses.map((ingress) => ingress.ready()));
  }

  const statuses = async (source: TestSource) =>
    Promise.all(pipeline.urls.map(async (url) => (await upsertUntilTaken(url, source)).status));

  it('taken under load, Redis first, contains every earlier 200 once, and continues the order', async () => {
    const { mongo } = pipeline;
    // Only the embedded store can be copied. The same suite's first run tests that.
    if (mongo === undefined) return void expect(process.env.MONGO_URL).to.be.a('string');
    const source = await pipeline.addSource();
    let backup: Promise<void> | undefined;
    let answeredBefore = 0;
    const sent = await sendAll({
      urls: pipeline.urls,
      source,
      bodies: randomActions({ count: 300, events: 250, seed: 3 }),
      concurrency: 16,
      onAnswer: (count) => {
        if (count < 200 || backup !== undefined) return;
        answeredBefore = count;
        backup = backUpRedis().then(() => cp(mongo.dir, mongoBackup(), { recursive: true }));
      },
    });
    await backup;
    // The backup may contain any part of the later requests.
    const known = sent.map((one, i): Sent => (i < answeredBefore ? one : { ...one, answer: undefined }));
    await restoreBoth(source, known);
  });

  /** Starts everything from the backups, and checks the resulting data. */
  async function restoreBoth(source: TestSource, known: readonly Sent[]): Promise<void> {
    const redis = await startRedis({ aof: true, from: redisBackup() });
    const mongo = await startMongo({ from: mongoBackup() });
    const env = { ...pipeline.env, REDIS_URL: redis.url, MONGO_URL: mongo.url };
    const services = [startService('ingress', env), startService('worker', env)];
    const store = connectStore({ url: mongo.url, namespace: pipeline.namespace });
    const rowsOf = () => collect(store.deliveries.listDeliveries({ source_id: source.sourceId }));
    try {
      await store.opened();
      const [ingress] = services as [ReturnType<typeof startService>];
      await Promise.all(services.map((service) => service.ready()));
      const url = (await ingress.logged('ingress.listening')).url as string;

      const accepted = known.filter(({ answer }) => answer?.status === 200);
      const ids = new Set(accepted.map(({ answer }) => answer?.body.delivery_id));
      const isLogged = async () =>
        (await rowsOf()).filter(({ delivery_id }) => ids.has(delivery_id)).length === ids.size;
      await until(isLogged, { withinMs: 90_000, what: 'every accepted request is in the log' });

      const again = await postUntilTaken(url + source.path, (accepted.at(-1) as Sent).request);
      expect(again.body).to.include({ ok: true, duplicate: true });
      const next = await upsertUntilTaken(url, source, { title: AFTER });
      expect(next.status).to.equal(200);
      const isIn = (id: string) => async () => (await rowsOf()).some((row) => row.delivery_id === id);
      for (const { body } of [again, next]) await until(isIn(body.delivery_id), { what: 'it is in the log' });

      const rows = await rowsOf();
      const events = await collect(store.events.listEvents({ source_id: source.sourceId }));
      const unknown = known.filter(({ answer }) => answer?.status !== 200).map(titleOf);
      const isKnown = ({ title }: Titled) => title !== AFTER && !unknown.includes(title as string);
      const { lost, doubled, outOfOrder } = judge(rows.filter(isBefore), events.filter(isBefore), known);
      expect({ lost, doubled, outOfOrder }).to.deep.equal({ lost: 0, doubled: 0, outOfOrder: 0 });
      // The backup of MongoDB may contain an event without its row, if its request came later than that of Redis.
      expect(judge(rows.filter(isKnown), events.filter(isKnown), []).wrongEvents).to.equal(0);
      const newest = rows.find((row) => row.delivery_id === next.body.delivery_id);
      const others = rows.filter((row) => row !== newest).map(({ sequence }) => sequence ?? 0);
      expect(newest?.sequence).to.be.above(Math.max(...others));
    } finally {
      await Promise.all(services.map((service) => service.kill('SIGKILL')));
      await store.close();
      await redis.stop();
      await mongo.stop();
    }
  }

  it('of Redis restores no old secret and reactivates no source, at any ingress', async () => {
    const old = await pipeline.addSource();
    const active = await pipeline.addSource();
    // Both ingresses have cached both sources in the state of the backup.
    expect([...(await statuses(old)), ...(await statuses(active))]).to.deep.equal([200, 200, 200, 200]);
    await backUpRedis();
    const rotated = await pipeline.rotateSecret(old);
    await pipeline.setActive(active, false);
    await replaceRedis(redisBackup());
    expect(await statuses(old)).to.deep.equal([401, 401]);
    expect(await statuses(active)).to.deep.equal([403, 403]);
    expect(await statuses(rotated)).to.deep.equal([200, 200]);
  });

  it('of Redis, or an empty Redis, keeps the plan usage that is in the delivery log', async () => {
    const source = await pipeline.addSource({ plan: 'free' });
    const [url = ''] = pipeline.urls;
    for (let i = 0; i < 3; i++) expect((await upsertUntilTaken(url, source)).status).to.equal(200);
    const before = await pipeline.logged(source, 3);
    await replaceRedis();
    const after = [];
    for (let i = 0; i < 3; i++) after.push((await upsertUntilTaken(url, source)).status);
    expect(after).to.deep.equal([200, 200, 403]);
    const rows = (await pipeline.logged(source, 6)).filter(({ sequence }) => sequence !== null);
    const known = before.map(({ sequence }) => sequence as number);
    const added = rows.map(({ sequence }) => sequence as number).filter((one) => !known.includes(one));
    expect(added).to.have.length(2);
    expect(Math.min(...added)).to.be.above(Math.max(...known));
  });

  it('of MongoDB determines the secrets after a restart of Redis, and the next rotation takes effect', async () => {
    const mongo = pipeline.mongo as MongoProcess;
    // Only the embedded store can be copied. The same suite's first run tests that.
    if (pipeline.mongo === undefined) return void expect(process.env.MONGO_URL).to.be.a('string');
    const old = await pipeline.addSource();
    expect(await statuses(old)).to.deep.equal([200, 200]);
    await cp(mongo.dir, mongoBackup(), { recursive: true });
    const rotated = await pipeline.rotateSecret(await pipeline.rotateSecret(old));
    expect(await statuses(rotated)).to.deep.equal([200, 200]);

    await mongo.kill('SIGKILL');
    await rm(mongo.dir, { recursive: true, force: true });
    await cp(mongoBackup(), mongo.dir, { recursive: true });
    await mongo.restart();
    await until(
      () =>
        pipeline.store.ping().then(
          () => true,
          () => false,
        ),
      { what: 'MongoDB is back' },
    );
    await pipeline.redis.kill('SIGTERM');
    await pipeline.redis.restart();
    await Promise.all(pipeline.ingresses.map((ingress) => ingress.ready()));

    expect(await statuses(rotated)).to.deep.equal([401, 401]);
    expect(await statuses(old)).to.deep.equal([200, 200]);
    const next = await pipeline.rotateSecret(old);
    expect(await statuses(old)).to.deep.equal([401, 401]);
    expect(await statuses(next)).to.deep.equal([200, 200]);
  });
});
