import { expect } from 'chai';
import type { TestSource } from '../support/ingress.ts';
import { seededRandom } from '../support/load.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { seed, sized } from '../support/size.ts';
import { acceptedAgain, againInWords, expectAcceptedAgain } from './support/accepted-again.ts';
import { keepKilling } from './support/kill.ts';
import { startLoad } from './support/load.ts';
import { report } from './support/report.ts';
import { expectOnlyRefusals, expectWhole, inWords, verdictOn, WHOLE } from './support/whole.ts';

const KILLS = sized({ short: 1, middle: 2, long: 20 });
/** The number of kills is fixed. This bound is for a machine that has stopped making progress. */
const WITHIN_MS = sized({ short: 60_000, long: 180_000 });

describe('faults: Redis with appendfsync everysec', function () {
  this.timeout(sized({ short: 240_000, long: 400_000 }));
  let pipeline: Pipeline;
  let source: TestSource;
  before(async () => {
    pipeline = await startPipeline({ ingress: 2, workers: 2, redis: { aof: 'everysec' } });
    source = await pipeline.addSource();
  });
  after(() => pipeline?.stop());

  it('loses nothing when the process (not the machine) is killed, rejects with 503, and accepts within 2 s of its return', async () => {
    const load = startLoad({ urls: pipeline.urls, source });
    // Ensures that there is something to lose, even if the kills end early.
    await load.sent(100);
    const settings = {
      part: 'Redis',
      times: KILLS,
      withinMs: WITHIN_MS,
      random: seededRandom(seed),
    } as const;
    const again = await acceptedAgain(load, (onBack) =>
      keepKilling(pipeline, load, { ...settings, onBack }),
    ).finally(() => load.stop());
    const verdict = await verdictOn(pipeline, source, load.tries);
    report({
      test: 'accepted is durable',
      done: 'SIGKILL of Redis with appendfsync everysec',
      times: again.kills,
      asked: `${WHOLE}, 503 only, accepting within 2 s`,
      seen: `${inWords(verdict)}; ${againInWords(again)}`,
    });
    expect(again.kills).to.equal(KILLS);
    expectWhole(verdict);
    expectOnlyRefusals(load.tries);
    expectAcceptedAgain(again);
  });
});
