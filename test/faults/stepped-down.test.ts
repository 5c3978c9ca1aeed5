import { createShards } from '@sluice/redis/shards/shards';
import { Queue } from 'bullmq';
import { expect } from 'chai';
import type { TestSource } from '../support/ingress.ts';
import { isWarning } from '../support/is-warning.ts';
import { type Pipeline, usePipeline } from '../support/pipeline.ts';
import { sized } from '../support/size.ts';
import { startLoad } from './support/load.ts';
import { report } from './support/report.ts';
import { type SteppingDown, startSteppingDown } from './support/stepping-down.ts';
import { expectWhole, inWords, verdictOn } from './support/whole.ts';

/** One write for each of the five fates. The long form covers each error code too. */
const WRITES = sized({ short: 5, long: 15 });
const TIMES = sized({ short: 1, middle: 2, long: 20 });
/** How long there is no primary, in requests. */
const AWAY_REQUESTS = sized({ short: 100, long: 1500 });
const MOST_LINES_A_SECOND = 10;

describe('a MongoDB primary that steps down', function () {
  this.timeout(sized({ short: 240_000, long: 900_000 }));
  const pipeline = usePipeline({
    workers: 2,
    beforeMongo: async (url) => {
      primary = await startSteppingDown(url);
      return primary.url;
    },
  });
  let source: TestSource;
  let primary: SteppingDown;
  before(async () => {
    source = await pipeline.addSource();
  });
  after(() => primary?.close());

  it('loses nothing, applies nothing twice, uses up no attempt, and causes no retry storm', async () => {
    const load = startLoad({ urls: pipeline.urls, source });
    const attempts: number[] = [];
    for (let i = 0; i < TIMES; i++) {
      await load.sent(20);
      await primary.stepDown({ silently: i % 2 === 1, writes: WRITES });
      await load.sent(AWAY_REQUESTS);
      attempts.push(...(await attemptsMade(pipeline)));
      primary.stepUp();
    }
    const verdict = await verdictOn(pipeline, source, await load.stop());
    const lines = Math.max(...pipeline.workers.map(({ log }) => mostLinesInASecond(log)));
    const fates = [...primary.fates].map(([fate, times]) => `${times} ${fate}`).join(', ');
    report(`commands: ${fates}; at most ${lines} warnings a second; ${inWords(verdict)}`, TIMES);
    expectWhole(verdict);
    expect(attempts, 'groups wait for it').not.to.deep.equal([]);
    expect(attempts.filter((made) => made > 0)).to.deep.equal([]);
    expect((await pipeline.queued()).failed, 'BullMQ gives up no group').to.equal(0);
    expect(lines).to.be.below(MOST_LINES_A_SECOND);
  });
});

/** The attempts of every group that waits or that a worker processes. */
async function attemptsMade({ redis, namespace }: Pipeline): Promise<number[]> {
  const { prefix } = createShards(namespace, 1).first;
  const queue = new Queue('actions', { connection: { url: redis.url }, prefix });
  const jobs = await queue.getJobs(['active', 'waiting', 'delayed']);
  await queue.close();
  return jobs.map((job) => job.attemptsMade);
}

function mostLinesInASecond(log: readonly Record<string, unknown>[]): number {
  const times = log.filter(isWarning).map(({ time }) => Date.parse(`${time}`));
  const until = (from: number) => times.filter((time) => time >= from && time < from + 1000).length;
  return Math.max(0, ...times.map(until));
}
