import { expect } from 'chai';
import { expectWhole, verdictOn } from '../faults/support/whole.ts';
import { randomActions, sendAll } from '../support/load.ts';
import { usePipeline } from '../support/pipeline.ts';
import { sized } from '../support/size.ts';

const ACTIONS = sized({ short: 200, middle: 1500 });

/** Guarantee 2: for each event the last admitted action wins, on any number of workers, through retries and races. */
describe('guarantee 2: applied in the order admitted, on any number of workers', function () {
  this.timeout(240_000);
  const pipeline = usePipeline({ ingress: 2, workers: 3 });

  for (const events of sized({ short: [1, 20], middle: [1, 5, 100] }))
    it(`${ACTIONS} random actions on ${events} event${events > 1 ? 's' : ''} end in the state of a serial run`, async () => {
      const source = await pipeline.addSource();
      const bodies = randomActions({ count: ACTIONS, events, seed: events });
      const sent = await sendAll({ urls: pipeline.urls, source, bodies, concurrency: 32, again: true });
      expect(sent.every(({ answer }) => answer?.status === 200)).to.equal(true);
      expectWhole(await verdictOn(pipeline, source, sent));
    });
});
