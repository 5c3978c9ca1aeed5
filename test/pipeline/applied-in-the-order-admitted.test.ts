import { expect } from 'chai';
import { expectWhole, verdictOn } from '../faults/support/whole.ts';
import { randomActions, sendAll } from '../support/load.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { postUntilTaken } from '../support/post.ts';
import { signed } from '../support/signed.ts';
import { sized } from '../support/size.ts';

const ACTIONS = sized({ short: 200, middle: 1500 });

/** Guarantee 2: for each event the last admitted action wins, on any number of workers, through retries and races. */
describe('guarantee 2: applied in the order admitted, on any number of workers', function () {
  this.timeout(240_000);
  let pipeline: Pipeline;
  before(async () => {
    pipeline = await startPipeline({ ingress: 2, workers: 3 });
  });
  after(() => pipeline?.stop());

  for (const events of sized({ short: [1, 20], middle: [1, 5, 100] }))
    it(`${ACTIONS} random actions on ${events} event${events > 1 ? 's' : ''} end in the state of a serial run`, async () => {
      const source = await pipeline.addSource();
      const bodies = randomActions({ count: ACTIONS, events, seed: events });
      const sent = await sendAll({ urls: pipeline.urls, source, bodies, concurrency: 32, again: true });
      expect(sent.every(({ answer }) => answer?.status === 200)).to.equal(true);
      expectWhole(await verdictOn(pipeline, source, sent));
    });

  it('each outcome follows from the actions before it', async () => {
    const source = await pipeline.addSource();
    const event = { title: 'Story', starts_at: '2027-01-01T00:00Z' };
    const story = ['cancel', 'upsert', 'upsert', 'cancel', 'delete', 'delete', 'cancel', 'upsert'];
    for (const [i, action] of story.entries()) {
      const body = { action, event: { ...event, price: `${i}` } };
      await postUntilTaken(pipeline.urls[i % 2] + source.path, signed({ secret: source.secret, body }));
      // One at a time, because outcomes are promised only if actions are applied in the admitted order.
      await pipeline.logged(source, i + 1);
    }
    // A repeated request has the number of the first.
    const rows = (await pipeline.deliveries(source)).filter(({ outcome }) => outcome !== 'duplicate');
    const inOrder = rows.toSorted((a, b) => (a.sequence as number) - (b.sequence as number));
    expect(inOrder.map(({ outcome }) => outcome)).to.deep.equal([
      'not_found',
      'created',
      'updated',
      'cancelled',
      'deleted',
      'not_found',
      'not_found',
      'created',
    ]);
  });
});
