import { UNVERIFIED_ROWS_PER_MINUTE } from '@sluice/admission/checks/bad-signatures.lua';
import type { Delivery } from '@sluice/contract/delivery/delivery';
import { expect } from 'chai';
import type { TestSource } from '../support/ingress.ts';
import { usePipeline } from '../support/pipeline.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { type SignedRequest, signed, upsertBody } from '../support/signed.ts';
import { LONG, sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import {
  type Attack,
  type AttackSeen,
  answersOf,
  type Flood,
  prepareAttack,
  rawRequest,
  watchMemory,
} from './support/floods-attack.ts';
import { expectLogged, sendPolitely } from './support/floods-polite.ts';
import { report } from './support/report.ts';

/** Each of the two processes needs this many open files: see `ulimit -n`. */
const HELD = sized({ short: 300, long: 10_000 });
const REPEATING = sized({ short: 20, long: 200 });
/** A flood lasts until this many of its requests are answered. */
const ANSWERS = sized({ short: 250, long: 20_000 });
/** Each of these keeps its connection for a second (unread-body.ts), so 200 connections get 200 responses a second. */
const OVERSIZED_ANSWERS = sized({ short: 50, long: 4_000 });
const POLITE_REQUESTS = sized({ short: 15, long: 250 });
/** MiB. An idle ingress has 100, 10,000 connections cost about 150, and bodies may use 64. */
const MEMORY_CEILING = 600;
/** Timeouts of headers (10 s) and bodies (30 s), checked every 5 s, plus the time for 10,000 responses. */
const CUT_WITHIN_MS = 120_000;
const BODY_BYTES = 255 * 1024;
/** This many bodies fit into the 64 MiB that an ingress reserves for incomplete bodies. */
const BODIES_HELD = 257;
/** Low enough that even a slow machine exceeds it. */
const RATE = sized({ short: 5, long: 100 });
const BURST = sized({ short: 50, long: 200 });

describe('a flood beside a polite sender, who loses nothing,', function () {
  this.timeout(LONG ? 300_000 : 240_000);
  const pipeline = usePipeline({
    env: { BAD_SIGNATURES_PER_MINUTE: '60', TRUST_PROXY: '1' },
  });
  let polite: TestSource;
  let target: TestSource;
  let attack: Attack | undefined;
  /** Each comes from another address, as behind a proxy: bad signatures are counted by address. */
  let attacks = 0;
  before(async () => {
    polite = await pipeline.addSource();
  });
  beforeEach(async () => {
    target = await pipeline.addSource();
    attacks += 1;
  });
  afterEach(() => attack?.stop());

  /** Floods beside the polite sender, until `over`. */
  async function flood(
    settings: Flood,
    over: (seen: AttackSeen) => boolean | Promise<boolean>,
  ): Promise<AttackSeen> {
    const url = pipeline.urls[0] as string;
    const memory = watchMemory(pipeline.ingresses[0] as ServiceProcess);
    const flooding = await prepareAttack({ ...settings, port: Number(new URL(url).port) });
    attack = flooding;
    flooding.begin();
    let isOver = false;
    const ending = until(() => over(flooding.seen()), { what: 'the flood is over', withinMs: CUT_WITHIN_MS });
    const ended = ending.finally(() => {
      isOver = true;
    });
    ended.catch(() => undefined);
    const run = await sendPolitely(url, polite, { requests: POLITE_REQUESTS, over: () => isOver });
    await ended;
    const seen = await flooding.stop();
    const mib = await memory.stop();
    const { slowestMs } = run;
    report(
      `${seen.opened} opened, answered ${JSON.stringify(seen.statuses)}; ${slowestMs} ms at most; ${mib} MiB`,
    );
    await expectLogged(pipeline, polite, run);
    expect(mib).to.be.below(MEMORY_CEILING);
    const { 429: limited = 0, 503: unavailable = 0 } = seen.statuses;
    expect(seen.retryAfter, 'Retry-After on every 429 and 503').to.equal(limited + unavailable);
    return seen;
  }

  /** Statuses except 503. On a busy machine any sender may get a 503 and retries. */
  const statusesOf = ({ statuses }: AttackSeen) => Object.keys(statuses).filter((status) => status !== '503');

  describe('of requests', () => {
    const raw = ({ headers, body }: SignedRequest, { path } = target) =>
      rawRequest(
        path,
        { ...headers, 'x-forwarded-for': `203.0.113.${attacks}`, 'content-length': body.length },
        body,
      );
    const upserts = (count: number) =>
      Array.from({ length: count }, () => raw(signed({ secret: target.secret, body: upsertBody() })));
    const repeat = (requests: readonly Uint8Array[], answers = ANSWERS, more = {}) =>
      flood(
        { kind: 'repeat', connections: REPEATING, requests, pipelined: 1, ...more },
        (seen) => answersOf(seen) >= answers,
      );

    /** Each minute has up to UNVERIFIED_ROWS_PER_MINUTE rows and a counter row for each of two codes. */
    function expectFewRows(rows: readonly Delivery[]): void {
      const minutes = new Set(rows.map((row) => Math.floor(row.received_at / 60_000))).size;
      // Redis's minute may start slightly earlier or later.
      expect(rows.length).to.be.at.most((minutes + 1) * (UNVERIFIED_ROWS_PER_MINUTE + 2));
    }
    /** Each rejection is counted. */
    async function expectBoundedLog(seen: AttackSeen): Promise<void> {
      const { 503: unavailable = 0 } = seen.statuses;
      const all = answersOf(seen);
      const counted = async () =>
        (await pipeline.deliveries(target)).reduce((sum, { count }) => sum + count, 0);
      await until(async () => (await counted()) >= all - unavailable, { what: 'every rejection is counted' });
      expect(await counted()).to.be.at.most(all);
      expectFewRows(await pipeline.deliveries(target));
    }

    it('that are unsigned gets 401, and its rows in the delivery log are bounded', async () => {
      const { body, headers } = signed({ secret: target.secret, body: upsertBody() });
      const { 'x-service-signature': _, ...unsigned } = headers;
      const seen = await repeat([raw({ body, headers: unsigned })]);
      expect(statusesOf(seen)).to.deep.equal(['401']);
      await expectBoundedLog(seen);
    });

    it('that are badly signed gets 401, then 429, and its rows in the delivery log are bounded', async () => {
      const seen = await repeat([raw(signed({ secret: 'whsec_wrong', body: upsertBody() }))]);
      expect(statusesOf(seen)).to.deep.equal(['401', '429']);
      await expectBoundedLog(seen);
    });

    it('that are oversized gets 413', async () => {
      const { headers } = signed({ secret: target.secret, body: upsertBody() });
      const seen = await repeat([raw({ headers, body: Buffer.alloc(300_000, 0x20) })], OVERSIZED_ANSWERS);
      expect(statusesOf(seen)).to.deep.equal(['413']);
      expectFewRows(await pipeline.logged(target, 1));
    });

    it('that are signed and pipelined gets a response to each: 200, or 429 over the rate', async () => {
      const seen = await repeat(upserts(200), ANSWERS, { pipelined: 10 });
      expect(statusesOf(seen).filter((status) => !['200', '429'].includes(status))).to.deep.equal([]);
      expect(answersOf(seen) % 10).to.equal(0);
    });

    it('at twenty times the rate of its source is limited to that rate', async () => {
      target = await pipeline.addSource({ ratePerSecond: RATE, rateBurst: BURST });
      const startedAt = performance.now();
      const seen = await repeat(upserts(4 * BURST), 4 * BURST, { perSecond: 20 * RATE });
      const seconds = (performance.now() - startedAt) / 1000;
      expect(statusesOf(seen)).to.deep.equal(['200', '429']);
      expect(seen.statuses[200]).to.be.within(BURST, BURST + RATE * seconds + 1);
    });
  });

  describe('of connections', () => {
    const headers = { 'content-type': 'application/json', 'content-length': BODY_BYTES + 1000 };
    const begun = (bytes: number) => rawRequest(polite.path, headers, Buffer.alloc(bytes, 0x20));
    /** Keeps connections open. The long form waits until all are cut. */
    const hold = (first: Uint8Array, drip: string | undefined, held = (_seen: AttackSeen) => true) =>
      flood({ kind: 'hold', connections: HELD, first, drip }, (seen) =>
        LONG ? seen.closed === HELD : seen.opened === HELD && held(seen),
      );
    /** They are cut with a 408. On a slow machine that happens in the short form too. */
    function expectCut(seen: AttackSeen): void {
      expect(Object.keys(seen.statuses).filter((status) => status !== '408')).to.deep.equal([]);
      if (LONG) expect(seen.statuses[408]).to.equal(HELD);
    }
    afterEach('unfinished requests have no row, except for a few a minute', async () => {
      const rows = (await pipeline.deliveries(polite)).filter(({ sequence }) => sequence === null);
      expect(rows.length).to.be.below(HELD);
    });

    it('that send nothing is cut', async () => {
      expectCut(await hold(Buffer.alloc(0), ''));
    });

    it('that send one header per second is cut', async () => {
      expectCut(await hold(Buffer.from('POST / HTTP/1.1\r\nhost: x\r\n'), 'x-more: y\r\n'));
    });

    it('that end their half inside a request is cut at once, not after the timeout', async () => {
      const { statuses } = await hold(begun(1024), undefined, ({ closed }) => closed === HELD);
      expect(statuses[408], 'no connection runs into the timeout').to.equal(undefined);
    });

    it('that send one body byte per second loses the oldest request to make room', async () => {
      const isCrowded = (seen: AttackSeen) => answersOf(seen) >= (HELD - BODIES_HELD) / 2;
      const { statuses } = await hold(begun(BODY_BYTES), ' ', isCrowded);
      expect(statuses[503]).to.be.above(0);
      expect(Object.keys(statuses).filter((status) => !['503', '408'].includes(status))).to.deep.equal([]);
    });
  });
});
