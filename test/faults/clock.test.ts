import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { usePipeline } from '../support/pipeline.ts';
import { post } from '../support/post.ts';
import { useRedisClient } from '../support/redis-client.ts';
import { signed } from '../support/signed.ts';
import { sized } from '../support/size.ts';
import { startLoad } from './support/load.ts';
import { report } from './support/report.ts';
import { expectWhole, inWords, verdictOn } from './support/whole.ts';

const JUMP_US = 10 * 60 * 1_000_000;
const JUMPS = sized({ short: 1, middle: 3, long: 30 });

describe('wrong clocks do not change the order', function () {
  this.timeout(sized({ short: 240_000, long: 240_000 }));
  const pipeline = usePipeline({ ingress: 2, workers: 2 });
  const redis = useRedisClient(() => pipeline.redis.url);

  it("keeps the admitted order and the rate limit when Redis's time jumps back ten minutes", async () => {
    const source = await pipeline.addSource({ ratePerSecond: 400, rateBurst: 100 });
    const key = createKeyspace(pipeline.namespace).source(source.sourceId);
    const load = startLoad({ urls: pipeline.urls, source, retry: false });
    for (let i = 0; i < JUMPS; i++) {
      await load.sent(100);
      // The admission state that Redis holds after its time has jumped back.
      await redis.multi().hincrby(key, 'seq', JUMP_US).hincrby(key, 'tat', JUMP_US).exec();
    }
    await load.sent(100);
    const verdict = await verdictOn(pipeline, source, await load.stop());
    report(inWords(verdict), JUMPS);
    expectWhole(verdict);
    const last = load.tries.slice(-10).map(({ answer }) => answer?.status);
    expect(last, 'the rate is there again').to.include(200);
  });

  it("applies the last admitted action when the senders' clocks differ by minutes", async () => {
    const source = await pipeline.addSource();
    const now = Math.floor(Date.now() / 1000);
    const skews = [-280, 280, 0, 200, -200, -1, 290, -290];
    for (const [i, skew] of skews.entries()) {
      const body = {
        action: 'upsert',
        event: { title: 'Same', starts_at: '2027-01-01T00:00Z', price: `${i}` },
      };
      const request = signed({ secret: source.secret, body, timestamp: now + skew });
      expect((await post(pipeline.urls[i % 2] + source.path, request)).status).to.equal(200);
    }
    await pipeline.logged(source, skews.length);
    const [event] = await pipeline.events(source);
    report(`${event?.price}`, skews.length);
    expect(event?.price).to.equal(`${skews.length - 1}`);
  });
});
