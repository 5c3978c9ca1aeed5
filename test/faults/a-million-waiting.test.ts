import { WAITING_COUNTED } from '@sluice/contract/subscription/subscription-limits';
import { expect } from 'chai';
import { useOutboundPipeline } from '../dispatcher/support/outbound-pipeline.ts';
import { startReceiver } from '../dispatcher/support/receiver.ts';
import { ACCOUNT } from '../outbound/directory/support/use-directory.ts';
import { change } from '../outbound/log/support/use-cursors.ts';
import { useRedisClient } from '../support/redis-client.ts';
import { sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { expectPromised } from './support/outage.ts';
import { publishSubscriptions } from './support/publish-subscriptions.ts';
import { report } from './support/report.ts';
import { residentMiB } from './support/resident-memory.ts';

const RECEIVERS = sized({ short: 5, long: 100 });
/** More than a status counts. */
const MESSAGES_EACH = WAITING_COUNTED + 200;
/** More than must fail before a receiver is probed. */
const RECORDS = 100;
const APPENDED_AT_ONCE = 500;
/** Redis knows a cursor of each subscription, whatever waits behind it. */
const MOST_REDIS_KIB = 512;
const MOST_DISPATCHER_MIB = 150;
/** The image sets them too (many-subscriptions.test.ts). */
const NODE_OPTIONS = '--max-semi-space-size=8 --max-old-space-size=256';

describe('a million messages wait for a hundred dead receivers', function () {
  this.timeout(sized({ short: 120_000, long: 600_000 }));
  const env = { NODE_OPTIONS };
  const pipeline = useOutboundPipeline({ ingress: 0, workers: 0, dispatchers: 0, redis: {}, env });
  const redis = useRedisClient(() => pipeline.redis.url);
  const ids = Array.from({ length: RECEIVERS }, (_, n) => `sub_${n}`);
  const [first] = ids as [string];
  const receiver = use(() => startReceiver((_received, response) => response.writeHead(500).end()));

  const status = () => pipeline.outbox.status(ACCOUNT, ids);
  const usedKiB = async () => Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]) / 1024;
  const changeOf = (n: number) =>
    change(`c${n}`, {
      ...{ record_id: `rec_${n % RECORDS}`, sequence: n + 1 },
      text: `"type":"lead.created","data":{"n":${n}}}`,
    });

  /** A receiver that is probed gets everything once a test is delivered. */
  async function heal(id: string): Promise<void> {
    const text = '"type":"webhook.test","data":{}}';
    const test = { changeId: `test_${id}`, messageId: `msg_test_${id}`, recordId: 'test', text };
    expect(await pipeline.outbox.pushTest(ACCOUNT, id, test)).to.deep.equal({ status: 'pushed' });
  }

  it('neither in Redis nor in a dispatcher, and go on in order within 5 s in a new process', async () => {
    await pipeline.store.ensureIndexes();
    const old = await pipeline.addDispatcher();
    const subscribed = ids.map((id) => ({ id, url: `${receiver.url}/${id}`, ordered: true }));
    const { append } = await publishSubscriptions({ pipeline, redis }, ACCOUNT, subscribed);
    const changes = Array.from({ length: MESSAGES_EACH }, (_, n) => changeOf(n));
    await append(changes.splice(0, RECORDS));
    const areProbed = async () => (await status()).every(({ state }) => state.probing);
    await until(areProbed, { withinMs: 60_000, what: 'all are probed' });
    const before = await usedKiB();
    while (changes.length > 0) await append(changes.splice(0, APPENDED_AT_ONCE));
    const grownKiB = Math.round((await usedKiB()) - before);
    const oldMiB = Math.round(await residentMiB(old));
    expect((await status()).map(({ waiting }) => waiting)).to.deep.equal(ids.map(() => WAITING_COUNTED));

    await old.kill('SIGKILL');
    const delivered: number[] = [];
    receiver.answer = ({ path, body }, response) => {
      const isBack = path.endsWith(`/${first}`);
      if (isBack && body.type !== 'webhook.test') delivered.push((body.data as { n: number }).n);
      response.writeHead(isBack ? 200 : 500).end();
    };
    const restarted = await pipeline.addDispatcher();
    const began = performance.now();
    await heal(first);
    await until(() => delivered.length > 0, { what: 'the first one is delivered' });
    const firstMs = Math.round(performance.now() - began);
    await until(() => delivered.length >= MESSAGES_EACH, { withinMs: 60_000, what: 'all are delivered' });
    const allMs = Math.round(performance.now() - began);
    const newMiB = Math.round(await residentMiB(restarted));
    report(`Redis ${grownKiB} KiB, dispatchers ${oldMiB} and ${newMiB} MiB, ${firstMs} ms, all ${allMs} ms`);
    expect(grownKiB).to.be.below(MOST_REDIS_KIB);
    expect(Math.max(oldMiB, newMiB)).to.be.below(MOST_DISPATCHER_MIB);
    expectPromised(firstMs, 5_000);
    const inOrder = Array.from({ length: MESSAGES_EACH }, (_, n) => n);
    const byRecord = (all: readonly number[]) =>
      Array.from({ length: RECORDS }, (_, record) => all.filter((n) => n % RECORDS === record));
    expect(byRecord(delivered)).to.deep.equal(byRecord(inOrder));
  });
});
