import { expect } from 'chai';
import { usePipeline } from '../support/pipeline.ts';
import { sized } from '../support/size.ts';
import { startLoad } from './support/load.ts';
import { report } from './support/report.ts';
import { type SlowProxy, startSlowProxy } from './support/slow-proxy.ts';
import { expectWhole, inWords, verdictOn } from './support/whole.ts';

const DELAY_MS = 200;
/** High enough that well over fifty requests are accepted before it is reached: two or three share a group. */
const BACKLOG_LIMIT = 40;
const REQUESTS = sized({ short: 200, long: 6000 });
const PER_SECOND = 100;
/**
 * The ingress checks the backlog twice a second. The requests between two checks may exceed the limit, one group each.
 */
const OVER = PER_SECOND;

describe('a slow store leads to a bounded backlog, then to rejections', function () {
  this.timeout(sized({ short: 240_000, long: 400_000 }));
  const pipeline = usePipeline(() => ({
    workers: 1,
    env: { BACKLOG_LIMIT: `${BACKLOG_LIMIT}`, WORKER_CONCURRENCY: '1' },
    beforeMongo: async (url) => {
      proxy = await startSlowProxy(url, { delayMs: DELAY_MS });
      return proxy.url;
    },
  }));
  let proxy: SlowProxy;
  after(() => proxy?.close());

  it(`with MongoDB ${DELAY_MS} ms away: loses nothing, rejects with 503 over the limit, and accepts after the drain`, async () => {
    const source = await pipeline.addSource();
    const load = startLoad({ urls: pipeline.urls, source, perSecond: PER_SECOND });
    let longest = 0;
    for (let sent = 0; sent < REQUESTS; sent += PER_SECOND / 10) {
      await load.sent(PER_SECOND / 10);
      longest = Math.max(longest, (await pipeline.queued()).actions);
    }
    const verdict = await verdictOn(pipeline, source, await load.stop());
    report(`longest backlog ${longest} groups; ${inWords(verdict)}`);
    expectWhole(verdict);
    expect(longest).to.be.within(BACKLOG_LIMIT, BACKLOG_LIMIT + OVER);
    expect(verdict.refused).to.be.above(0);
    const again = startLoad({ urls: pipeline.urls, source, perSecond: 10 });
    await again.sent(10);
    expect((await again.stop()).some(({ answer }) => answer?.status === 200)).to.equal(true);
  });
});
