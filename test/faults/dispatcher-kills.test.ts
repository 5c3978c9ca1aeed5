import { expect } from 'chai';
import { LONG, sized } from '../support/size.ts';
import { killOne } from './support/kill.ts';
import { type OutboundLoad, startOutboundLoad } from './support/outbound-load.ts';
import { report } from './support/report.ts';

const KILLS = sized({ short: 4, middle: 16, long: 200 });
const ROUNDS = sized({ short: 1, middle: 4, long: 20 });
const BETWEEN = 20;
const PARTS = ['dispatcher', 'Redis', 'dispatcher', 'MongoDB', 'dispatcher', 'worker'] as const;

describe('faults: messages while parts die', function () {
  this.timeout(LONG ? 1_800_000 : 300_000);
  let outbound: OutboundLoad;

  beforeEach(async () => {
    outbound = await startOutboundLoad();
  });
  afterEach(() => outbound?.stop());

  it('guarantees 8 and 12: none is lost or out of order, whichever part is killed', async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      await outbound.load.more(BETWEEN);
      const part = PARTS[kill % PARTS.length] as (typeof PARTS)[number];
      if (part === 'dispatcher') await outbound.replaceDispatcher('SIGKILL');
      else await killOne(outbound.pipeline, part, Math.random);
    }
    await outbound.quiet();
    const { violations, messages, repeated } = await outbound.verdict();
    report({
      ...{ test: 'no message lost', done: 'SIGKILL of dispatcher, Redis, MongoDB, worker', times: KILLS },
      asked: '0 lost, 0 out of order where ordered',
      seen: `${messages} messages, ${violations.length} violations, ${repeated} repeated`,
    });
    expect(violations).to.deep.equal([]);
    expect(messages).to.be.greaterThan(KILLS);
  });

  /** Entries that were attempted twice, although no receiver failed: their turn was lost. */
  async function attemptedTwice(): Promise<number> {
    const { pipeline, subscriptions } = outbound;
    const pages = await Promise.all(
      subscriptions.map((subscription_id) =>
        pipeline.store.webhookMessages.pageMessages({ subscription_id, limit: 100_000 }),
      ),
    );
    return pages.flat().filter(({ attempts }) => {
      const numbers = attempts.map(({ id }) => id.split(':').at(-1));
      return new Set(numbers).size < numbers.length;
    }).length;
  }

  it('loses none and attempts none twice while dispatchers are replaced one after the other', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await outbound.load.more(BETWEEN);
      await outbound.replaceDispatcher('SIGTERM');
    }
    await outbound.quiet();
    const { violations, messages } = await outbound.verdict();
    const twice = await attemptedTwice();
    report({
      ...{ test: 'no message lost', done: 'dispatchers replaced', times: ROUNDS },
      asked: '0 lost, 0 out of order, 0 attempted twice',
      seen: `${messages} messages, ${violations.length} violations, ${twice} attempted twice`,
    });
    expect(violations).to.deep.equal([]);
    expect(twice).to.equal(0);
  });
});
