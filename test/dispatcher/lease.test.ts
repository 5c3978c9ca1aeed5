import { performance } from 'node:perf_hooks';
import { createLease } from '@sluice/dispatcher/attempt/lease';
import type { Renewed } from '@sluice/outbound/queue/turn';
import { expect } from 'chai';

describe('dispatcher: the lease of a turn', () => {
  const endsIn = (ms: number) => performance.now() + ms;
  const renewing = (...replies: Renewed[]) => {
    let asked = 0;
    const renew = async () => replies[asked++] as Renewed;
    return { renew, asked: () => asked };
  };

  it('ends for attempts a little before Redis counts it as over', () => {
    const end = endsIn(1000);
    const lease = createLease(end, renewing().renew);
    expect(end - lease.until()).to.be.within(2, 10);
  });

  it('is asked for again once it has ended, by all attempts together', async () => {
    const { renew, asked } = renewing({ status: 'leased', leaseUntil: endsIn(1000) });
    const lease = createLease(endsIn(0), renew);
    expect(await Promise.all([lease.hold(), lease.hold(), lease.hold()])).to.deep.equal([true, true, true]);
    expect(asked()).to.equal(1);
  });

  it('never begins again once Redis has stopped the turn, whatever lease comes later', async () => {
    const { renew } = renewing({ status: 'stopped', why: 'by_admin' });
    const lease = createLease(endsIn(1000), renew);
    await lease.keep();
    lease.extend(endsIn(1000));
    expect(lease.until()).to.equal(0);
    expect(await lease.hold()).to.equal(false);
    expect(lease.stopped()).to.equal('by_admin');
  });

  it('is lost without a reply of Redis', async () => {
    const lease = createLease(endsIn(0), () => Promise.reject(new Error('Redis is away')));
    expect(await lease.hold()).to.equal(false);
    expect(lease.stopped()).to.equal('lost');
  });
});
