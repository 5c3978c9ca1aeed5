import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { useOutboundPipeline } from '../dispatcher/support/outbound-pipeline.ts';
import { change } from '../outbound/log/support/use-cursors.ts';
import { useRedisClient } from '../support/redis-client.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { LONG, sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { publishSubscriptions } from './support/publish-subscriptions.ts';
import { report } from './support/report.ts';
import { residentMiB } from './support/resident-memory.ts';

const ACCOUNTS = sized({ short: 5, long: 100 });
const OF_ACCOUNT = 100;
const MESSAGES_EACH = sized({ short: 10, long: 100 });
const TOTAL = ACCOUNTS * OF_ACCOUNT * MESSAGES_EACH;
/** Delivered before the dispatcher is killed, and watched after it. */
const BEFORE = sized({ short: 500, long: 2_000 });
const WATCHED = sized({ short: TOTAL - BEFORE, long: 100_000 });
const TEXT = `"type":"lead.created","data":{"note":"${'x'.repeat(700)}"}}`;
/** From the start of the process. A machine that runs other tests starts it late. */
const FIRST_WITHIN_MS = sized({ short: 60_000, long: 5_000 });
const MOST_MIB = 150;
const SAMPLE_MS = 200;
/** The image sets the first one. In a container with 512 MiB Node gives half of them to the heap. */
const NODE_OPTIONS = '--max-semi-space-size=8 --max-old-space-size=256';

describe('a dispatcher starts while thousands of subscriptions have waiting messages', function () {
  this.timeout(500_000);
  const pipeline = useOutboundPipeline({ ingress: 0, workers: 0, dispatchers: 0, redis: {} });
  const redis = useRedisClient(() => pipeline.redis.url);
  let server: Server;
  let dispatcher: ServiceProcess | undefined;
  let requests = 0;
  const ids = new Set<string>();

  before(async () => {
    server = createServer((request, response) => {
      request.resume().on('end', () => {
        requests += 1;
        ids.add(`${request.url} ${request.headers['webhook-id']}`);
        response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await pipeline.store.ensureIndexes();
    for (let account = 0; account < ACCOUNTS; account++) await fill(account);
  });
  after(async () => {
    await dispatcher?.kill('SIGKILL');
    server?.closeAllConnections();
    server?.close();
  });

  /** Publishes the subscriptions of an account, and appends the changes that they wait for. */
  async function fill(account: number): Promise<void> {
    const { port } = server.address() as AddressInfo;
    const subscribed = Array.from({ length: OF_ACCOUNT }, (_, n) => {
      const id = `sub_${account}_${n}`;
      return { id, url: `http://127.0.0.1:${port}/${id}` };
    });
    const { append } = await publishSubscriptions({ pipeline, redis }, `acc_${account}`, subscribed);
    const name = (n: number) => `c_${account}_${n}_${randomBytes(4).toString('hex')}`;
    await append(Array.from({ length: MESSAGES_EACH }, (_, n) => change(name(n), { text: TEXT })));
  }

  const connections = () =>
    new Promise<number>((resolve, reject) =>
      server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
    );

  /** The most resident memory of a dispatcher until this many requests have come. */
  async function mostMiB(service: ServiceProcess, enough: number): Promise<number> {
    let most = 0;
    while (requests < enough) {
      most = Math.max(most, await residentMiB(service));
      await sleep(SAMPLE_MS);
    }
    return most;
  }

  it('delivers within 5 s of its start, and keeps its memory under 150 MB', async () => {
    const first = startService('dispatcher', { ...pipeline.env });
    dispatcher = first;
    await until(() => requests >= BEFORE, { what: 'the first dispatcher delivers' });
    await first.kill('SIGKILL');

    await until(async () => (await connections()) === 0, { what: 'its last requests have come' });
    const before = requests;
    const startedAt = performance.now();
    const restarted = startService('dispatcher', { ...pipeline.env, NODE_OPTIONS });
    dispatcher = restarted;
    await until(() => requests > before, { what: 'the second dispatcher delivers' });
    const firstMs = Math.round(performance.now() - startedAt);
    await restarted.ready();
    const began = performance.now();
    const mib = Math.round(await mostMiB(restarted, Math.min(before + WATCHED, TOTAL)));
    const rate = Math.round(WATCHED / ((performance.now() - began) / 1000));
    report(`${firstMs} ms after the start of the process, ${mib} MiB, ${rate} messages/s`);
    expect(firstMs).to.be.below(FIRST_WITHIN_MS);
    expect(mib).to.be.below(MOST_MIB);
    if (LONG) return;
    await until(() => ids.size === TOTAL, { what: 'each message is delivered' });
  });
});
