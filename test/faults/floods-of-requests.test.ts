import { UNVERIFIED_ROWS_PER_MINUTE } from '@sluice/admission/checks/bad-signatures.lua';
import { expect } from 'chai';
import type { TestSource } from '../support/ingress.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { LONG, sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import {
  type Attack,
  type AttackSeen,
  answersOf,
  prepareAttack,
  rawRequest,
  watchMemory,
} from './support/floods-attack.ts';
import { lostOf, type PoliteRun, sendPolitely } from './support/floods-polite.ts';
import { report } from './support/report.ts';

const CONNECTIONS = sized({ short: 50, long: 200 });
/** A flood lasts until this many of its requests are answered and `requests` of the polite sender's are sent. */
const FLOOD_ANSWERS = sized({ short: 250, long: 20_000 });
/**
 * Each of these keeps its connection for a second (unread-body.ts), so 200 connections get 200 responses a second.
 */
const OVERSIZED_ANSWERS = sized({ short: 250, long: 4_000 });
const POLITE_REQUESTS = sized({ short: 25, long: 250 });
/**
 * Each of the two compared p99 values is measured over this many requests. With 250, two slow requests change the p99.
 */
const COMPARED_REQUESTS = sized({ short: 25, long: 1_000 });
/** MiB. An idle ingress has about 100. */
const MEMORY_CEILING = 512;

/** Low enough that even a slow machine exceeds it. */
const RATE = sized({ short: 5, long: 100 });
const BURST = sized({ short: 50, long: 200 });
const TIMES_ITS_RATE = 20;
const BURST_ANSWERS = sized({ short: 4 * BURST, long: 20_000 });

interface Flood {
  readonly name: string;
  readonly requests: readonly Uint8Array[];
  readonly pipelined?: number;
  readonly perSecond?: number;
  readonly answers?: number;
  /** How many times its calm p99 the polite sender's p99 may become, in the long form. */
  readonly slowerAtMost?: number;
  /** The same requests from another source. The long form sends them first, before it compares. */
  readonly rehearsal?: readonly Uint8Array[];
}

describe('a flood of requests does not affect a polite sender', function () {
  this.timeout(sized({ short: 240_000, long: 300_000 }));
  let pipeline: Pipeline;
  let polite: TestSource;
  let target: TestSource;
  let attack: Attack | undefined;
  let memory: ReturnType<typeof watchMemory> | undefined;
  let calm: PoliteRun;
  /** The attacker sends another address, as behind a proxy: bad signatures are counted by address. */
  let attacker: Record<string, string>;
  let attacks = 0;
  const url = () => pipeline.urls[0] as string;
  const beCalm = (requests = POLITE_REQUESTS) => sendPolitely(url(), polite, { requests });

  before(async () => {
    pipeline = await startPipeline({ env: { BAD_SIGNATURES_PER_MINUTE: '20', TRUST_PROXY: '1' } });
    polite = await pipeline.addSource();
    calm = await beCalm();
  });
  beforeEach(async () => {
    target = await pipeline.addSource();
    attacker = { 'x-forwarded-for': `203.0.113.${++attacks}` };
  });
  afterEach(async () => {
    await attack?.stop();
    await memory?.stop();
  });
  after(() => pipeline?.stop());

  /** Floods the target while the polite sender continues. Returns how many responses of each status there were. */
  async function flood({ name, requests, ...more }: Flood): Promise<AttackSeen> {
    const { pipelined = 1, perSecond, answers = FLOOD_ANSWERS, slowerAtMost, rehearsal } = more;
    const port = Number(new URL(url()).port);
    const prepare = (what: readonly Uint8Array[]) =>
      prepareAttack({ kind: 'repeat', port, connections: CONNECTIONS, requests: what, pipelined, perSecond });
    // V8 compiles newly used code for more than a second. That cost belongs to a new process, not to the flood.
    if (LONG && rehearsal !== undefined) await rehearse(await prepare(rehearsal), answers / 2);
    // The bound is relative to the moment before, because others use the machine's disk and CPUs too.
    const compared = slowerAtMost !== undefined;
    const before = compared ? await beCalm(COMPARED_REQUESTS) : calm;
    memory = watchMemory(pipeline.ingresses[0] as ServiceProcess);
    const flooding = await prepare(requests);
    attack = flooding;
    const during = await sendPolitely(url(), polite, {
      requests: compared ? COMPARED_REQUESTS : POLITE_REQUESTS,
      onUnderWay: flooding.begin,
      over: () => answersOf(flooding.seen()) >= answers,
    });
    const seen = await flooding.stop();
    const mostMemory = await memory.stop();
    const lost = await lostOf(pipeline, polite, during);
    const ratio = during.p99 / before.p99;
    report({
      test: `flood of requests: ${name}`,
      done: `answered ${JSON.stringify(seen.statuses)}`,
      times: answersOf(seen),
      asked: `polite sender: 0 lost${LONG && slowerAtMost ? `, p99 < ${slowerAtMost} x calm` : ''}; memory < ${MEMORY_CEILING} MiB`,
      seen:
        `lost ${lost} of ${during.deliveryIds.length}, ${during.unavailable} x 503, ` +
        `p99 ${before.p99.toFixed(1)} -> ${during.p99.toFixed(1)} ms (x ${ratio.toFixed(1)}); ${mostMemory} MiB`,
    });
    expect(lost).to.equal(0);
    expect(mostMemory).to.be.below(MEMORY_CEILING);
    const { 429: limited = 0, 503: unavailable = 0 } = seen.statuses;
    expect(seen.retryAfter, 'Retry-After on every 429 and 503').to.equal(limited + unavailable);
    // The speed of a shared machine does not depend on the ingress.
    if (LONG) expect(during.unavailable).to.equal(0);
    if (LONG && slowerAtMost !== undefined) expect(ratio).to.be.below(slowerAtMost);
    return seen;
  }

  async function rehearse(flooding: Attack, answers: number): Promise<void> {
    attack = flooding;
    flooding.begin();
    await until(async () => answersOf(flooding.seen()) >= answers, { withinMs: 60_000 });
    await flooding.stop();
  }

  /** Statuses except 503. On a busy machine any sender may get a 503 and retries. */
  const statusesOf = ({ statuses }: AttackSeen) => Object.keys(statuses).filter((status) => status !== '503');

  /** Every answered request is counted in the log, and the number of new rows is bounded. */
  async function expectBoundedLog(seen: AttackSeen): Promise<void> {
    const all = answersOf(seen);
    const { 503: unavailable = 0 } = seen.statuses;
    const counted = async () => (await pipeline.deliveries(target)).reduce((sum, row) => sum + row.count, 0);
    await until(async () => (await counted()) >= all - unavailable, { what: 'every rejection is counted' });
    expect(await counted()).to.be.at.most(all);
    const rows = await pipeline.deliveries(target);
    const minutes = new Set(rows.map((row) => Math.floor(row.received_at / 60_000))).size;
    // Each minute has up to UNVERIFIED_ROWS_PER_MINUTE rows and a counter row for each of two codes. Redis's minute may
    // start slightly earlier or later.
    expect(rows.length).to.be.at.most((minutes + 1) * (UNVERIFIED_ROWS_PER_MINUTE + 2));
    expect(rows.length).to.be.below(all);
  }

  const whole = (headers: Record<string, string>, body: Uint8Array) =>
    rawRequest(target.path, { ...headers, ...attacker, 'content-length': body.length }, body);
  const upserts = (count: number, source = target) =>
    Array.from({ length: count }, () => {
      const { body, headers } = signed({ secret: source.secret, body: upsertBody() });
      return rawRequest(source.path, { ...headers, ...attacker, 'content-length': body.length }, body);
    });

  it('rejects unsigned ones with 401, and bounds their rows in the delivery log', async () => {
    const { body, headers } = signed({ secret: target.secret, body: upsertBody() });
    const { 'x-service-signature': _, ...unsigned } = headers;
    const seen = await flood({ name: 'unsigned', requests: [whole(unsigned, body)] });
    expect(statusesOf(seen)).to.deep.equal(['401']);
    await expectBoundedLog(seen);
  });

  it('rejects badly signed ones with 401, then 429, and bounds their rows in the delivery log', async () => {
    const { body, headers } = signed({ secret: 'whsec_wrong', body: upsertBody() });
    const seen = await flood({ name: 'badly signed', requests: [whole(headers, body)] });
    expect(statusesOf(seen)).to.deep.equal(['401', '429']);
    expect(seen.statuses[429]).to.be.above(seen.statuses[401] as number);
    await expectBoundedLog(seen);
  });

  it('rejects oversized ones with 413, and bounds their rows in the delivery log', async () => {
    const { headers } = signed({ secret: target.secret, body: upsertBody() });
    const requests = [whole(headers, Buffer.alloc(300_000, 0x20))];
    const seen = await flood({ name: 'oversized', requests, answers: OVERSIZED_ANSWERS });
    expect(statusesOf(seen)).to.deep.equal(['413']);
    await until(async () => (await pipeline.deliveries(target)).length > 0, { what: 'some are logged' });
    const rows = await pipeline.deliveries(target);
    const minutes = new Set(rows.map((row) => Math.floor(row.received_at / 60_000))).size;
    expect(rows.length).to.be.at.most((minutes + 1) * (UNVERIFIED_ROWS_PER_MINUTE + 1));
  });

  it('answers each pipelined one: 200, or 429 over the rate', async () => {
    const seen = await flood({ name: 'signed, pipelined by 10', requests: upserts(400), pipelined: 10 });
    expect(statusesOf(seen).filter((status) => !['200', '429'].includes(status))).to.deep.equal([]);
    expect(answersOf(seen) % 10).to.equal(0);
  });

  it(`limits one source at ${TIMES_ITS_RATE} times its rate to that rate`, async () => {
    const addLimited = () => pipeline.addSource({ ratePerSecond: RATE, rateBurst: BURST });
    const limited = await addLimited();
    const startedAt = performance.now();
    const seen = await flood({
      name: `one source at ${TIMES_ITS_RATE} times its rate of ${RATE}/s`,
      requests: upserts(4 * BURST, limited),
      rehearsal: upserts(4 * BURST, await addLimited()),
      perSecond: TIMES_ITS_RATE * RATE,
      answers: BURST_ANSWERS,
      slowerAtMost: 2,
    });
    const seconds = (performance.now() - startedAt) / 1000;
    expect(statusesOf(seen)).to.deep.equal(['200', '429']);
    expect(seen.statuses[200]).to.be.within(BURST, BURST + RATE * seconds + 1);
  });
});
