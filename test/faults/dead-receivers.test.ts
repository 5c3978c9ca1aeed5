import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { expect } from 'chai';
import { useOutboundPipeline } from '../dispatcher/support/outbound-pipeline.ts';
import { type Receiver, startReceiver } from '../dispatcher/support/receiver.ts';
import { ACCOUNT, change } from '../outbound/queue/support/use-mailboxes.ts';
import { sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { publishSubscriptions } from './support/many-receivers.ts';
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
const TEXT = '"type":"lead.created","data":{}}';

describe('more receivers that never respond than a dispatcher has turns', function () {
  this.timeout(120_000);
  const pipeline = useOutboundPipeline({ ingress: 0, workers: 0, redis: {} });
  let living: Receiver;
  let dead: Server;
  let pushChanges: Awaited<ReturnType<typeof publishSubscriptions>>['push'];
  const ids = Array.from({ length: DEAD }, (_, n) => `sub_dead_${n}`);
  const sockets = new Set<Socket>();
  before(async () => {
    living = await startReceiver();
    dead = createServer((socket) => {
      sockets.add(socket.on('error', () => socket.destroy()));
    });
    await new Promise<void>((resolve) => dead.listen(0, '127.0.0.1', resolve));
    const { port } = dead.address() as AddressInfo;
    const urls = ids.map((id) => [id, `http://127.0.0.1:${port}/${id}`] as const);
    ({ push: pushChanges } = await publishSubscriptions(pipeline, ACCOUNT, [...urls, [LIVING, living.url]]));
  });
  after(async () => {
    await living?.close();
    for (const socket of sockets) socket.destroy();
    dead?.close();
  });

  const push = (changeId: string, to: readonly string[]) =>
    pushChanges([{ ...change(changeId, { to }), text: TEXT }]);

  it('hold up nobody else (guarantee 9)', async () => {
    await push('before', ids);
    const attempting = async () =>
      (await pipeline.mailboxes.status(ACCOUNT, ids)).filter((one) => one.attempting > 0).length;
    await until(async () => (await attempting()) >= QUICK_TURNS, { what: 'turns wait for dead receivers' });
    const pushedAt: number[] = [];
    const arrivedAt: number[] = [];
    living.answer = (_received, response) => {
      arrivedAt.push(performance.now());
      response.end();
    };
    for (let n = 0; n < CHANGES; n++) {
      pushedAt.push(performance.now());
      await push(`c${n}`, [LIVING]);
    }
    await until(() => arrivedAt.length >= CHANGES, { what: 'the living receiver has all messages' });
    // Some arrive in another order. So this is the longest time for which as many had arrived as were pushed before.
    const slowestMs = Math.round(Math.max(...arrivedAt.map((at, n) => at - (pushedAt[n] as number))));
    const lastMs = Math.round((arrivedAt.at(-1) as number) - (pushedAt[0] as number));
    const held = await attempting();
    report(
      `${CHANGES} messages in ${lastMs} ms, the slowest after ${slowestMs} ms, ${held} turns waited for dead receivers`,
    );
    expect(held).to.be.at.least(QUICK_TURNS);
    expect(slowestMs).to.be.below(MOST_MS);
  });
});
