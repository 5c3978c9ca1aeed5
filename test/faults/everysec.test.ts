import type { TestSource } from '../support/ingress.ts';
import { seededRandom } from '../support/load.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { seed, sized } from '../support/size.ts';
import { keepKilling } from './support/kill.ts';
import { startLoad } from './support/load.ts';
import { tell } from './support/report.ts';
import { expectWhole, inWords, verdictOn, WHOLE } from './support/whole.ts';

const KILLS = sized({ short: 1, middle: 2, long: 20 });

describe('faults: Redis with appendfsync everysec', function () {
  this.timeout(sized({ short: 240_000, long: 400_000 }));
  let pipeline: Pipeline;
  let source: TestSource;
  before(async () => {
    pipeline = await startPipeline({ ingress: 2, workers: 2, redis: { aof: 'everysec' } });
    source = await pipeline.addSource();
  });
  after(() => pipeline?.stop());

  it('loses nothing when its process is killed (its machine is another matter)', async () => {
    const load = startLoad({ urls: pipeline.urls, source });
    // However soon the kills are over, there is something to be lost.
    await load.sent(100);
    const settings = { part: 'Redis', times: KILLS, withinMs: 60_000, random: seededRandom(seed) } as const;
    const times = await keepKilling(pipeline, load, settings).finally(() => load.stop());
    const verdict = await verdictOn(pipeline, source, load.tries);
    const done = 'SIGKILL of Redis with appendfsync everysec';
    tell({ test: 'accepted is durable', done, times, asked: WHOLE, seen: inWords(verdict) });
    expectWhole(verdict);
  });
});
