import { expect } from 'chai';
import { keepKilling, type Part } from '../faults/support/kill.ts';
import { startLoad } from '../faults/support/load.ts';
import { acceptedAgain } from '../faults/support/outage.ts';
import { report } from '../faults/support/report.ts';
import { expectOnlyRefusals, expectWhole, inWords, verdictOn } from '../faults/support/whole.ts';
import { seededRandom } from '../support/load.ts';
import { usePipeline } from '../support/pipeline.ts';
import { LONG, seed, sized } from '../support/size.ts';

/** Kills of each part alone, and of all at the same time. */
const KILLS = sized({ short: 1, middle: 3, long: 100 });
const KILLS_TOGETHER = sized({ short: 1, middle: 3, long: 25 });
/** Hundreds of kills take minutes. A slower load limits the comparison afterwards to some ten thousand requests. */
const PER_SECOND = sized({ short: 50, middle: 100, long: 30 });
const PARTS: readonly Part[] = process.env.MONGO_URL
  ? // Another engine is not ours to kill. The suite's other run kills the embedded store.
    ['ingress', 'worker', 'Redis']
  : ['ingress', 'worker', 'Redis', 'MongoDB'];

/**
 * Guarantee 1: a 200 is sent only after Redis has stored the action. Nothing that got a 200 is lost, whichever part is
 * killed under load at a random moment and comes back. Senders retry once if they got no response.
 */
describe('guarantee 1: accepted is durable', function () {
  this.timeout(LONG ? 3_600_000 : 240_000);
  const pipeline = usePipeline({ ingress: 2, workers: 2 });

  it(`when ${PARTS.join(', ')} are killed, one after the other and all at once`, async () => {
    const source = await pipeline.addSource();
    const load = startLoad({ urls: pipeline.urls, source, perSecond: PER_SECOND });
    const kill = (part: Part, times: number, i: number) =>
      keepKilling(pipeline, load, { part, times, random: seededRandom(seed + i) });
    // Ensures that there is something to lose.
    await load.sent(50);
    for (const [i, part] of PARTS.entries()) await kill(part, KILLS, i);
    await Promise.all(PARTS.map((part, i) => kill(part, KILLS_TOGETHER, i)));
    await acceptedAgain(load);
    const tries = await load.stop();
    const verdict = await verdictOn(pipeline, source, tries);
    report(inWords(verdict), (KILLS + KILLS_TOGETHER) * PARTS.length);
    expectWhole(verdict);
    expectOnlyRefusals(tries);
    expect((await pipeline.queued()).failed, 'BullMQ gives up no group').to.equal(0);
  });
});
