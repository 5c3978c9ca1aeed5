import { seededRandom } from '../support/load.ts';
import { usePipeline } from '../support/pipeline.ts';
import { seed, sized } from '../support/size.ts';
import { keepKilling } from './support/kill.ts';
import { startLoad } from './support/load.ts';
import { acceptedAgain } from './support/outage.ts';
import { report } from './support/report.ts';
import { expectOnlyRefusals, expectWhole, inWords, verdictOn } from './support/whole.ts';

const KILLS = sized({ short: 1, middle: 2, long: 20 });

describe('Redis with appendfsync everysec', function () {
  this.timeout(sized({ short: 240_000, long: 400_000 }));
  const pipeline = usePipeline({ redis: { aof: 'everysec' } });

  it('loses nothing when the process (not the machine) is killed, and senders get 503 meanwhile', async () => {
    const source = await pipeline.addSource();
    const load = startLoad({ urls: pipeline.urls, source });
    // Ensures that there is something to lose.
    await load.sent(50);
    await keepKilling(pipeline, load, { part: 'Redis', times: KILLS, random: seededRandom(seed) });
    await acceptedAgain(load);
    const tries = await load.stop();
    const verdict = await verdictOn(pipeline, source, tries);
    report(inWords(verdict), KILLS);
    expectWhole(verdict);
    expectOnlyRefusals(tries);
  });
});
