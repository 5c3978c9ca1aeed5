import { expect } from 'chai';
import { seededRandom } from '../support/load.ts';
import { usePipeline } from '../support/pipeline.ts';
import { useRedis } from '../support/redis-server.ts';
import { seed, sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { startLoad } from './support/load.ts';
import { report } from './support/report.ts';
import { startSlowProxy } from './support/slow-proxy.ts';
import { expectWhole, FEW_ACCEPTED, inWords, verdictOn } from './support/whole.ts';

const DELAY_MS = 200;
const LOSS = 0.05;
const REQUESTS = sized({ short: 150, middle: 300, long: 6000 });

describe('a slow and lossy link to Redis', function () {
  this.timeout(sized({ short: 240_000, long: 400_000 }));
  const random = seededRandom(seed);
  const redis = useRedis({ aof: true });
  const proxy = use(() => startSlowProxy(redis.url, { delayMs: DELAY_MS, lost: () => random() < LOSS }));
  const pipeline = usePipeline(() => ({ workers: 2, redisUrl: proxy.url }));

  it(`accepts or rejects with 503, and workers continue, at ${DELAY_MS} ms delay and ${LOSS * 100} % loss`, async () => {
    const source = await pipeline.addSource();
    const load = startLoad({ urls: pipeline.urls, source, perSecond: 50 });
    await load.sent(REQUESTS);
    // On a busy machine most requests get a 503.
    const accepted = () => load.tries.filter(({ answer }) => answer?.status === 200).length;
    await until(() => accepted() > FEW_ACCEPTED, { what: 'enough are accepted' });
    const tries = await load.stop();
    const statuses = new Set(tries.map(({ answer }) => answer?.status));
    const slowest = Math.max(...tries.map(({ sentAt, endedAt }) => endedAt - sentAt));
    const verdict = await verdictOn(pipeline, source, tries);
    report(`slowest response ${Math.round(slowest)} ms; ${inWords(verdict)}`);
    expectWhole(verdict);
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).to.deep.equal([]);
  });
});
