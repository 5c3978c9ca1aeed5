import { expect } from 'chai';
import {
  type AcceptedAgain,
  acceptedAgain,
  againInWords,
  expectAcceptedAgain,
} from '../faults/support/accepted-again.ts';
import { keepKilling, type OnBack, type Part } from '../faults/support/kill.ts';
import { startLoad, type Try } from '../faults/support/load.ts';
import { report } from '../faults/support/report.ts';
import { expectOnlyRefusals, expectWhole, inWords, verdictOn, WHOLE } from '../faults/support/whole.ts';
import type { TestSource } from '../support/ingress.ts';
import { seededRandom } from '../support/load.ts';
import { printRefusals } from '../support/machine-late.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { LONG, seed, sized } from '../support/size.ts';

interface KilledUnderLoad {
  readonly source: TestSource;
  readonly tries: readonly Try[];
  readonly again: AcceptedAgain;
}

/**
 * Guarantee 1: a 200 is sent only after Redis has stored the action. Nothing that got a 200 is lost, whichever part is
 * killed under load at a random moment and comes back. Senders retry once if they got no response.
 */
describe('guarantee 1: accepted is durable', function () {
  this.timeout(sized({ short: 240_000, long: 1_500_000 }));
  /**
   * Kills of a part that is killed alone. The short form stops after a while, so it only has to reach one; the long
   * form reaches all.
   */
  const KILLS = sized({ short: 1, middle: 3, long: 100 });
  /** Kills of each part if all are killed at the same time. */
  const KILLS_TOGETHER = sized({ short: 1, middle: 3, long: 25 });
  const WITHIN_MS = sized({ short: 20_000, long: 1_200_000 });
  /** Hundreds of kills take minutes. A slower load limits the comparison afterwards to some ten thousand requests. */
  const PER_SECOND = sized({ short: 100, long: 60 });
  const PARTS: readonly Part[] = process.env.MONGO_URL
    ? // Another engine is not ours to kill. The suite's other run kills the embedded store.
      ['ingress', 'worker', 'Redis']
    : ['ingress', 'worker', 'Redis', 'MongoDB'];
  const ROUNDS: readonly (readonly Part[])[] = [...PARTS.map((part) => [part]), PARTS];
  let pipeline: Pipeline;
  const loads: KilledUnderLoad[] = [];

  before(async () => {
    pipeline = await startPipeline({ ingress: 2, workers: 3 });
    if (LONG) return;
    // All rounds run before the first check, so the locks of killed workers expire once for all of them.
    for (const i of ROUNDS.keys()) loads.push(await killUnderLoad(i));
  });
  after(() => pipeline?.stop());

  const timesOf = (parts: readonly Part[]) => (parts.length > 1 ? KILLS_TOGETHER : KILLS);

  /** Kills each part of a round `KILLS` times, all parts at the same time. */
  async function killUnderLoad(round: number): Promise<KilledUnderLoad> {
    const parts = ROUNDS[round] as readonly Part[];
    const source = await pipeline.addSource();
    const load = startLoad({ urls: pipeline.urls, source, perSecond: PER_SECOND, salt: round });
    // Ensures that there is something to lose, even if the kills end early.
    await load.sent(100);
    const killAll = async (onBack: OnBack) => {
      const kill = (part: Part, i: number) =>
        keepKilling(pipeline, load, {
          part,
          times: timesOf(parts),
          withinMs: WITHIN_MS,
          random: seededRandom(seed + i),
          onBack,
        });
      return (await Promise.all(parts.map(kill))).reduce((sum, count) => sum + count, 0);
    };
    const again = await acceptedAgain(load, killAll).finally(() => load.stop());
    return { source, tries: load.tries, again };
  }

  for (const [i, parts] of ROUNDS.entries()) {
    // Without another part, senders may get no 200 either. Acceptance within 2 s is promised for Redis alone.
    const isRedis = parts.length === 1 && parts[0] === 'Redis';
    const besides = isRedis ? ', and accepts within 2 s of its return' : '';
    it(`when ${parts.join(', ')} ${parts.length > 1 ? 'are' : 'is'} killed${besides}`, async () => {
      const { source, tries, again } = loads[i] ?? (await killUnderLoad(i));
      const { kills } = again;
      const verdict = await verdictOn(pipeline, source, tries);
      report({
        test: 'accepted is durable',
        done: `SIGKILL of ${parts.join(', ')}`,
        times: kills,
        asked: WHOLE + besides,
        seen: isRedis ? `${inWords(verdict)}; ${againInWords(again)}` : inWords(verdict),
      });
      // Senders depend on neither of these two. A rejection meanwhile has another cause, and the test must show it.
      const spared = !parts.includes('ingress') && !parts.includes('Redis');
      if (spared && verdict.refused > 0) printRefusals(verdict.refused, pipeline.ingresses);
      expect(kills).to.be.at.least(LONG ? timesOf(parts) * parts.length : parts.length);
      expectWhole(verdict);
      expectOnlyRefusals(tries);
      if (isRedis) expectAcceptedAgain(again);
      expect((await pipeline.queued()).failed, 'BullMQ gives up no group').to.equal(0);
    });
  }
});
