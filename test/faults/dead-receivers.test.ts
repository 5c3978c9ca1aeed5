import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { expect } from 'chai';
import { useOutboundPipeline } from '../dispatcher/support/outbound-pipeline.ts';
import { startReceiver } from '../dispatcher/support/receiver.ts';
import { ACCOUNT } from '../outbound/directory/support/use-directory.ts';
import { change } from '../outbound/log/support/use-cursors.ts';
import { useRedisClient } from '../support/redis-client.ts';
import { sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { publishSubscriptions } from './support/publish-subscriptions.ts';
import { report } from './support/report.ts';

/** A dispatcher has 256 turns for receivers that respond. */
const DEAD = sized({ short: 300, long: 1_500 });
const QUICK_TURNS = 256;
const CHANGES = sized({ short: 20, long: 500 });
/**
 * An attempt at a dead receiver lasts 15 s. Nobody else may wait for it. Those that were due before come first: in the long form they hold
 * the 256 turns five times, for up to 0.4 s each.
 */
const MOST_MS = sized({ short: 12_000, long: 5_000 });
const LIVING = 'sub_living';
const FOR_DEAD = 'lead.created';
const FOR_LIVING = 'lead.updated';
const TEXT = '"type":"lead.created","data":{}}';

describe('more receivers that never respond than a dispatcher has turns', function () {
  this.timeout(120_000);
  const pipeline = useOutboundPipeline({ ingress: 0, workers: 0, redis: {} });
  const redis = useRedisClient(() => pipeline.redis.url);
  const living = use(startReceiver);
  let dead: Server;
  let append: Awaited<ReturnType<typeof publishSubscriptions>>['append'];
  const ids = Array.from({ length: DEAD }, (_, n) => `sub_dead_${n}`);
  const sockets = new Set<Socket>();
  before(async () => {
    dead = createServer((socket) => {
      sockets.add(socket.on('error', () => socket.destroy()));
    });
    await new Promise<void>((resolve) => dead.listen(0, '127.0.0.1', resolve));
    const { port } = dead.address() as AddressInfo;
    const subscribed = ids.map((id) => ({ id, url: `http://127.0.0.1:${port}/${id}`, events: [FOR_DEAD] }));
    subscribed.push({ id: LIVING, url: living.url, events: [FOR_LIVING] });
    ({ append } = await publishSubscriptions({ pipeline, redis }, ACCOUNT, subscribed));
  });
  after(async () => {
    for (const socket of sockets) socket.destroy();
    dead?.close();
  });

  it('hold up nobody else (guarantee 9)', async () => {
    await append([change('before', { kind: FOR_DEAD, text: TEXT })]);
    const attempting = async () =>
      (await pipeline.outbox.status(ACCOUNT, ids)).filter((one) => one.attempting > 0).length;
    await until(async () => (await attempting()) >= QUICK_TURNS, { what: 'turns wait for dead receivers' });
    const appendedAt: number[] = [];
    const arrivedAt: number[] = [];
    living.answer = (_received, response) => {
      arrivedAt.push(performance.now());
      response.end();
    };
    for (let n = 0; n < CHANGES; n++) {
      appendedAt.push(performance.now());
      await append([change(`c${n}`, { kind: FOR_LIVING, text: TEXT })]);
    }
    await until(() => arrivedAt.length >= CHANGES, { what: 'the living receiver has all messages' });
    // Some arrive in another order. So this is the longest time for which as many had arrived as were appended before.
    const slowestMs = Math.round(Math.max(...arrivedAt.map((at, n) => at - (appendedAt[n] as number))));
    const lastMs = Math.round((arrivedAt.at(-1) as number) - (appendedAt[0] as number));
    const held = await attempting();
    report(
      `${CHANGES} messages in ${lastMs} ms, the slowest after ${slowestMs} ms, ${held} turns waited for dead receivers`,
    );
    expect(held).to.be.at.least(QUICK_TURNS);
    expect(slowestMs).to.be.below(MOST_MS);
  });
});
