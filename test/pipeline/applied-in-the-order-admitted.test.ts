import type { Delivery } from '@sluice/contract/delivery/delivery';
import { expect } from 'chai';
import { drained } from '../faults/support/whole.ts';
import type { TestSource } from '../support/ingress.ts';
import { randomActions, sendAll } from '../support/load.ts';
import { expectEachLoggedOnce, expectSerial } from '../support/oracle.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { postUntilTaken } from '../support/post.ts';
import { signed } from '../support/signed.ts';
import { sized } from '../support/size.ts';

const ACTIONS = sized({ short: 300, middle: 1500 });
const ACTIONS_AROUND_A_KILL = sized({ short: 300, middle: 1000 });

/** Guarantee 2: for each event the last admitted action wins, on any number of workers, through retries and races. */
describe('guarantee 2: applied in the order admitted, on any number of workers', function () {
  this.timeout(240_000);
  let pipeline: Pipeline;
  before(async () => {
    pipeline = await startPipeline({ ingress: 2, workers: 4 });
  });
  after(() => pipeline?.stop());

  for (const events of [1, 5, 100]) {
    it(`${ACTIONS} random actions on ${events} event${events > 1 ? 's' : ''} end in the state of a serial run`, async () => {
      const source = await pipeline.addSource();
      const bodies = randomActions({ count: ACTIONS, events, seed: events });
      const sent = await sendAll({ urls: pipeline.urls, source, bodies, concurrency: 32, again: true });
      expect(sent.every(({ answer }) => answer?.status === 200)).to.equal(true);
      await drained(pipeline);
      const rows = await pipeline.deliveries(source);
      expectEachLoggedOnce(rows, sent);
      expectSerial(await pipeline.events(source), rows, sent);
    });
  }

  it('killing one worker in the middle of its groups changes no result', async () => {
    const source = await pipeline.addSource();
    let killed: Promise<void> | undefined;
    const sent = await sendAll({
      urls: pipeline.urls,
      source,
      bodies: randomActions({ count: ACTIONS_AROUND_A_KILL, events: 10, seed: 77 }),
      concurrency: 32,
      again: true,
      onAnswer: (count) => {
        if (count === ACTIONS_AROUND_A_KILL / 2) killed = pipeline.workers[0]?.kill('SIGKILL');
      },
    });
    await killed;
    expect(sent.every(({ answer }) => answer?.status === 200)).to.equal(true);
    await drained(pipeline);
    const rows = await pipeline.deliveries(source);
    expectEachLoggedOnce(rows, sent);
    expectSerial(await pipeline.events(source), rows, sent);
  });

  it('a request sent after a response gets a higher sequence number', async () => {
    const source = await pipeline.addSource();
    const prices = Array.from({ length: 30 }, (_, i) => `${i}`);
    for (const [i, price] of prices.entries()) {
      const body = { action: 'upsert', event: { title: 'Same', starts_at: '2027-01-01T00:00Z', price } };
      // A request that a busy machine answered with 503 may have been admitted. Its retry is a duplicate.
      await postUntilTaken(pipeline.urls[i % 2] + source.path, signed({ secret: source.secret, body }));
    }
    await drained(pipeline);
    expect(
      (await inOrder(source)).map(({ request }) => JSON.parse(request?.body as string).event.price),
    ).to.deep.equal(prices);
    const [event] = await pipeline.events(source);
    expect(event?.price).to.equal('29');
  });

  it('each outcome follows from the actions before it', async () => {
    const source = await pipeline.addSource();
    const event = { title: 'Story', starts_at: '2027-01-01T00:00Z' };
    const story = ['cancel', 'upsert', 'upsert', 'cancel', 'delete', 'delete', 'cancel', 'upsert'];
    for (const [i, action] of story.entries()) {
      await postUntilTaken(
        pipeline.urls[0] + source.path,
        signed({ secret: source.secret, body: { action, event: { ...event, price: `${i}` } } }),
      );
      // One at a time, because outcomes are promised only if actions are applied in the admitted order.
      await pipeline.logged(source, i + 1);
    }
    expect((await inOrder(source)).map(({ outcome }) => outcome)).to.deep.equal([
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

  /** The admitted actions by sequence number. A repeated request has the number of the first. */
  async function inOrder(source: TestSource): Promise<Delivery[]> {
    const rows = (await pipeline.deliveries(source)).filter(({ outcome }) => outcome !== 'duplicate');
    return rows.toSorted((a, b) => (a.sequence as number) - (b.sequence as number));
  }
});
