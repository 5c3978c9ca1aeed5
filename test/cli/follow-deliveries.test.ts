import type { ListedDelivery } from '@sluice/contract/delivery/delivery';
import { WRITTEN_WITHIN_MS } from '@sluice/store/deliveries/delivery-search';
import { expect } from 'chai';
import { followDeliveries } from '../../services/cli/src/follow-deliveries.ts';
import { delivery } from '../store/support.ts';

const NOW = 1_795_250_000_000;

/** A log in memory, and what a reader of it gets until it pauses. */
function follow(...ages: number[]) {
  const log: ListedDelivery[] = [];
  const write = (...more: number[]) =>
    void log.push(...more.map((age) => delivery({ delivery_id: `${age}`, received_at: NOW - age })));
  write(...ages);
  let reads = 0;
  const followed = followDeliveries({
    async read(from, { after, limit }) {
      reads += 1;
      const newestFirst = log
        .filter(({ received_at }) => received_at >= from)
        .sort((a, b) => b.received_at - a.received_at);
      const start = newestFirst.findIndex(({ delivery_id }) => delivery_id === after?.delivery_id) + 1;
      const items = newestFirst.slice(start, start + limit);
      return { items, more: start + limit < newestFirst.length };
    },
    pause: async () => undefined,
    now: () => NOW,
  });
  const next = async () => {
    const { value } = await followed.next();
    return (value as readonly ListedDelivery[]).map(({ delivery_id }) => Number(delivery_id));
  };
  return { write, next, reads: () => reads };
}

describe('following a delivery log', () => {
  it('yields each new row once, oldest first, also one that is written after newer ones', async () => {
    const { write, next } = follow(60_000, 50_000);
    expect(await next()).to.deep.equal([]);
    write(2000, 3000, 1000);
    expect(await next()).to.deep.equal([3000, 2000, 1000]);
    write(500, WRITTEN_WITHIN_MS + 999);
    expect(await next()).to.deep.equal([WRITTEN_WITHIN_MS + 999, 500]);
    expect(await next()).to.deep.equal([]);
  });

  it('waits for workers that are behind: it goes on at the newest row, whenever that was received', async () => {
    const { write, next } = follow();
    expect(await next()).to.deep.equal([]);
    write(900_000);
    expect(await next()).to.deep.equal([900_000]);
    write(890_000, 901_000);
    expect(await next()).to.deep.equal([901_000, 890_000]);
  });

  it('yields the rows of other ingresses, although the clock of one is ahead', async () => {
    const { write, next } = follow();
    await next();
    write(-600_000);
    expect(await next()).to.deep.equal([-600_000]);
    write(100);
    expect(await next()).to.deep.equal([100]);
  });

  it('yields a burst of several pages whole, and then reads one page again', async () => {
    const ages = Array.from({ length: 1200 }, (_, index) => index);
    const { write, next, reads } = follow(...ages.map((age) => age + 5000));
    expect(await next()).to.deep.equal([]);
    write(...ages);
    expect(await next()).to.deep.equal(ages.toReversed());
    const before = reads();
    expect(await next()).to.deep.equal([]);
    expect(reads()).to.equal(before + 1);
  });
});
