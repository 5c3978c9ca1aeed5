import { readFileSync } from 'node:fs';
import { resumeByAdmin } from '@sluice/outbound/subscriptions/change-subscription';
import { publishAgain } from '@sluice/outbound/subscriptions/publish-again';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { mongo } from 'mongoose';
import { until } from '../support/until.ts';
import { useOutboundPipeline } from './support/outbound-pipeline.ts';
import { useReceiver } from './support/receiver.ts';

interface Left {
  readonly secret_key: string;
  readonly redis: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly mongo: Readonly<Record<string, readonly mongo.Document[]>>;
}

const FIXTURE = readFileSync(new URL('fixtures/mailboxes-0.2.0.json', import.meta.url), 'utf8');
/** The day on which it was written. Changes are kept for 30 days. */
const WRITTEN_AT = Number(/179\d{10}/.exec(FIXTURE)?.[0]);

/** What 0.2.0 left in Redis and MongoDB, as if its last process had been stopped a moment ago. */
function leftBy020(namespace: string, receiverUrl: string): Left {
  // One shift for all: some of these times are names, such as that of an era.
  const shift = Date.now() - WRITTEN_AT;
  const text = FIXTURE.replaceAll('NAMESPACE', namespace)
    .replaceAll('http://receiver', receiverUrl)
    .replace(/\b179\d{10}\b/g, (ms) => String(Number(ms) + shift));
  return mongo.BSON.EJSON.parse(text) as Left;
}

async function load(redis: Redis, namespace: string, { redis: keys }: Left): Promise<void> {
  for (const [name, stored] of Object.entries(keys)) {
    const key = name.replace('{0}', `{${namespace}:0}`);
    const [[type, value] = []] = Object.entries(stored);
    if (type === 'hash') await redis.hset(key, value as Record<string, string>);
    if (type === 'list') await redis.rpush(key, ...(value as string[]));
    if (type === 'set') await redis.sadd(key, ...(value as string[]));
    if (type === 'string') await redis.set(key, value as string);
    if (type !== 'zset') continue;
    const members = value as string[];
    for (let n = 0; n < members.length; n += 2)
      await redis.zadd(key, members[n + 1] as string, members[n] as string);
  }
}

describe('what waited in mailboxes of 0.2.0', function () {
  this.timeout(240_000);
  const { secret_key } = JSON.parse(FIXTURE) as Left;
  const pipeline = useOutboundPipeline({
    ...{ ingress: 0, workers: 0, dispatchers: 0 },
    env: { SLUICE_SECRET_KEY: secret_key },
  });
  const receiver = useReceiver();
  let accountId: string;
  let idOf: (name: string) => string;
  before(async () => {
    const { namespace, env } = pipeline;
    const left = leftBy020(namespace, receiver.url);
    const redis = new Redis(env.REDIS_URL as string);
    await load(redis, namespace, left);
    redis.disconnect();
    const client = await new mongo.MongoClient(env.MONGO_URL as string).connect();
    for (const [name, documents] of Object.entries(left.mongo))
      await client
        .db(namespace)
        .collection(name)
        .insertMany([...documents]);
    await client.close();
    const own = left.mongo.webhook_subscriptions ?? [];
    accountId = own[0]?.account_id as string;
    idOf = (name) => own.find((one) => one.name === name)?._id as string;
    // A worker that starts first publishes the account.
    await publishAgain(pipeline.deps, accountId);
    await pipeline.addDispatcher();
    await pipeline.addDispatcher();
  });

  const got = (name: string) => receiver.received.filter(({ path }) => path.endsWith(`/${name}`));
  const prices = (name: string, title: string) =>
    got(name).flatMap(({ body: { data } }) => {
      const { title: own, price } = data as { title: string; price: string };
      return own === title ? [price] : [];
    });

  it('is sent once: what was to be tried again, what was never tried, and what a dispatcher was just sending', async () => {
    await until(() => got('retry').length === 10 && got('taken').length === 6);
    for (const name of ['retry', 'taken'])
      expect(new Set(got(name).map(({ id }) => id)).size, name).to.equal(got(name).length);
  });
  it('keeps the order of each record where that was asked for', async () => {
    await until(() => got('ordered').length === 10);
    expect(prices('ordered', 'Fair')).to.deep.equal(['0', '1', '2']);
  });
  it('waits on while its subscription is paused, and is sent when it is resumed, with what was in MongoDB', async () => {
    expect(got('paused')).to.deep.equal([]);
    await resumeByAdmin(pipeline.deps, accountId, idOf('paused'));
    await until(() => got('paused').length === 15);
  });
});
