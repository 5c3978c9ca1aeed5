import { UNVERIFIED_ROWS_PER_MINUTE } from '@sluice/admission/checks/bad-signatures.lua';
import { expect } from 'chai';
import type { TestSource } from '../support/ingress.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import type { ServiceProcess } from '../support/service-process.ts';
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

/** Each of the two processes needs this many open files: see `ulimit -n`. */
const CONNECTIONS = sized({ short: 400, long: 10_000 });
const POLITE_REQUESTS = sized({ short: 25, long: 250 });
/** MiB. An idle ingress has 100, 10,000 connections cost about 150, and bodies may use 64. */
const MEMORY_CEILING = 600;
/** Timeouts of headers (10 s) and bodies (30 s), checked every 5 s, plus the time for 10,000 responses. */
const CUT_WITHIN_MS = 120_000;
const BODY_BYTES = 255 * 1024;
/** This many bodies fit into the 64 MiB that an ingress reserves for incomplete bodies. */
const BODIES_HELD = 257;

describe('a flood of connections with unfinished requests does not affect a polite sender', function () {
  this.timeout(sized({ short: 240_000, long: 300_000 }));
  let pipeline: Pipeline;
  let polite: TestSource;
  let attack: Attack | undefined;
  let memory: ReturnType<typeof watchMemory> | undefined;
  let calm: PoliteRun;
  const url = () => pipeline.urls[0] as string;

  before(async () => {
    pipeline = await startPipeline();
    polite = await pipeline.addSource();
    calm = await sendPolitely(url(), polite, { requests: POLITE_REQUESTS });
  });
  afterEach(async () => {
    await attack?.stop();
    await memory?.stop();
  });
  after(() => pipeline?.stop());

  /**
   * Keeps at least `held` connections open while the polite sender continues. The long form waits until all are cut.
   */
  async function hold(
    name: string,
    first: Uint8Array,
    drip: string | undefined,
    held = isTrue,
  ): Promise<AttackSeen> {
    const port = Number(new URL(url()).port);
    memory = watchMemory(pipeline.ingresses[0] as ServiceProcess);
    const holding = await prepareAttack({ kind: 'hold', port, connections: CONNECTIONS, first, drip });
    attack = holding;
    const opened = () => holding.seen().opened === CONNECTIONS && held(holding.seen());
    const during = await sendPolitely(url(), polite, {
      requests: POLITE_REQUESTS,
      onUnderWay: holding.begin,
      over: opened,
    });
    const cut = () => holding.seen().closed === CONNECTIONS;
    if (LONG) await until(cut, { withinMs: CUT_WITHIN_MS, what: 'all are cut' });
    const seen = await holding.stop();
    const mostMemory = await memory.stop();
    const lost = await lostOf(pipeline, polite, during);
    report({
      test: `flood of connections: ${name}`,
      done: `${seen.opened} held, answered ${JSON.stringify(seen.statuses)}`,
      times: seen.opened,
      asked: `polite sender: all accepted, 0 lost; memory < ${MEMORY_CEILING} MiB${LONG ? `; all cut within ${CUT_WITHIN_MS / 1000} s` : ''}`,
      seen:
        `${during.deliveryIds.length} accepted, ${during.unavailable} x 503, lost ${lost}, ` +
        `p99 ${calm.p99.toFixed(1)} -> ${during.p99.toFixed(1)} ms; ${mostMemory} MiB`,
    });
    expect(lost).to.equal(0);
    expect(mostMemory).to.be.below(MEMORY_CEILING);
    await expectBoundedLog(seen);
    if (LONG) expect(during.unavailable).to.equal(0);
    return seen;
  }

  /** An unfinished request has no row. The source's rows are the polite sender's, except for a few a minute. */
  async function expectBoundedLog({ opened }: AttackSeen): Promise<void> {
    const rows = await pipeline.deliveries(polite);
    const others = rows.filter(({ sequence }) => sequence === null);
    const minutes = new Set(rows.map((row) => Math.floor(row.received_at / 60_000))).size;
    expect(others.length).to.be.at.most((minutes + 1) * (UNVERIFIED_ROWS_PER_MINUTE + 2));
    expect(others.length).to.be.below(opened);
  }

  /** Connections are cut with a 408. On a slow machine that happens in the short form too. */
  function expectCut({ statuses }: AttackSeen): void {
    expect(Object.keys(statuses).filter((status) => status !== '408')).to.deep.equal([]);
    if (LONG) expect(statuses[408]).to.equal(CONNECTIONS);
  }

  it('if they send nothing', async () => {
    expectCut(await hold('nothing sent', Buffer.alloc(0), ''));
  });

  it('if they send one header per second', async () => {
    expectCut(await hold('slow headers', Buffer.from('POST / HTTP/1.1\r\nhost: x\r\n'), 'x-more: y\r\n'));
  });

  it('if they end their half inside a request: cuts each at once, not after the timeout', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': BODY_BYTES };
    const beginning = rawRequest(polite.path, headers, Buffer.alloc(1024, 0x20));
    const { closed, statuses } = await hold('half of a request, and its end', beginning, undefined);
    expect(closed).to.equal(CONNECTIONS);
    expect(statuses[408], 'no connection runs into the timeout').to.equal(undefined);
  });

  it('if they send one body byte per second: cuts the oldest request to make room', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': BODY_BYTES + 1000 };
    const beginning = rawRequest(polite.path, headers, Buffer.alloc(BODY_BYTES, 0x20));
    const crowded = (seen: AttackSeen) => answersOf(seen) >= (CONNECTIONS - BODIES_HELD) / 2;
    const { statuses } = await hold('slow bodies', beginning, ' ', crowded);
    expect(statuses[503]).to.be.above(0);
    expect(Object.keys(statuses).filter((status) => !['503', '408'].includes(status))).to.deep.equal([]);
  });
});

const isTrue = (_seen: AttackSeen) => true;
