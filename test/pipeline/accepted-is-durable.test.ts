import { expect } from 'chai';
import { keepKilling, type Part } from '../faults/support/kill.ts';
import { startLoad, type Try } from '../faults/support/load.ts';
import { tell } from '../faults/support/report.ts';
import { seed, sized } from '../faults/support/size.ts';
import { expectWhole, inWords, verdictOn, WHOLE } from '../faults/support/whole.ts';
import type { TestSource } from '../support/ingress.ts';
import { seededRandom } from '../support/load.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';

/**
 * Guarantee 1. A 200 is sent only after Redis holds the action, and nothing that got a 200 is lost, whichever part is
 * killed under load, at moments that nobody chose, and comes back. Senders try once more what was not answered.
 */
describe('guarantee 1: accepted is durable', function () {
  this.timeout(sized({ short: 240_000, long: 1_200_000 }));
  const KILLS = sized({ short: 3, long: 50 });
  /** Of one round: five rounds of the long form end within ten minutes on any machine. */
  const WITHIN_MS = sized({ short: 20_000, long: 75_000 });
  const PARTS: readonly Part[] = process.env.MONGO_URL
    ? // Another engine is not ours to kill; the embedded store is, in the suite's other run.
      ['ingress', 'worker', 'Redis']
    : ['ingress', 'worker', 'Redis', 'MongoDB'];
  const ROUNDS: readonly (readonly Part[])[] = [...PARTS.map((part) => [part]), PARTS];
  let pipeline: Pipeline;
  const loads: { readonly source: TestSource; readonly tries: readonly Try[]; readonly kills: number }[] = [];

  // All rounds before the first look: until the locks of killed workers run out is waited for once.
  before(async () => {
    pipeline = await startPipeline({ ingress: 2, workers: 3 });
    for (const parts of ROUNDS) loads.push(await killUnderLoad(parts));
  });
  after(() => pipeline?.stop());

  /** Each of these parts so often, all at the same time. */
  async function killUnderLoad(parts: readonly Part[]) {
    const source = await pipeline.addSource();
    const load = startLoad({ urls: pipeline.urls, source, salt: loads.length });
    const kill = (part: Part, i: number) =>
      keepKilling(pipeline, load, {
        part,
        times: KILLS,
        withinMs: WITHIN_MS,
        random: seededRandom(seed + i),
      });
    const kills = await Promise.all(parts.map(kill)).finally(() => load.stop());
    return { source, tries: load.tries, kills: kills.reduce((sum, count) => sum + count, 0) };
  }

  for (const [i, parts] of ROUNDS.entries()) {
    it(`when ${parts.join(', ')} ${parts.length > 1 ? 'are' : 'is'} killed`, async () => {
      const { source, tries, kills } = loads[i] as (typeof loads)[number];
      const verdict = await verdictOn(pipeline, source, tries);
      tell({
        test: 'accepted is durable',
        done: `SIGKILL of ${parts.join(', ')}`,
        times: kills,
        asked: WHOLE,
        seen: inWords(verdict),
      });
      expect(kills).to.be.at.least(parts.length);
      expectWhole(verdict);
      const statuses = new Set(tries.flatMap(({ answer }) => answer?.status ?? []));
      expect([200, 503]).to.include.members([...statuses]);
      expect((await pipeline.queued()).failed, 'BullMQ gives nothing up').to.equal(0);
    });
  }
});
