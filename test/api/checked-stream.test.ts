import { type Access, createCheckedStream } from '@sluice/api/http/checked-stream';
import { createStreamLimit } from '@sluice/api/public/webhooks/open-streams';
import { expect } from 'chai';

/** A stream whose access checks are answered by the test, one after the other. */
function stream({ keep = 1000 } = {}) {
  const written: string[] = [];
  const checks: ((access: Access) => void)[] = [];
  const checked = createCheckedStream({
    checkAccess: () => new Promise((resolve) => checks.push(resolve)),
    write: (text) => void written.push(text),
    end: () => void written.push('END'),
    missed: 'MISSED',
    keep,
  });
  const answer = async (access: Access) => {
    checks.shift()?.(access);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ...checked, written, checks, answer };
}

describe('api: a stream that checks access before it writes', () => {
  it('writes a row only after a check that began after the row arrived', async () => {
    const { offer, answer, written, checks } = stream();
    offer('a');
    offer('b');
    await answer('allowed');
    expect(written).to.deep.equal(['a']);
    expect(checks).to.have.length(1);
    await answer('gone');
    expect(written).to.deep.equal(['a', 'END']);
    offer('c');
    expect(checks).to.have.length(0);
  });

  it('keeps rows while the store is away, and writes them in order when it is back', async () => {
    const { offer, check, answer, written, checks } = stream();
    offer('a');
    offer('b');
    await answer('unknown');
    expect([...written, checks.length]).to.deep.equal([0]);
    check('still here');
    await answer('allowed');
    expect(written).to.deep.equal(['a', 'b', 'still here']);
  });

  it('reports missing rows if more arrived than it keeps', async () => {
    const { offer, answer, written } = stream({ keep: 8 });
    offer('a');
    offer('bbbbb');
    offer('ccccc');
    offer('d');
    await answer('allowed');
    await answer('allowed');
    expect(written).to.deep.equal(['a', 'MISSED', 'd']);
  });

  it('writes a heartbeat even while the store is away, and checks again if requested during a check', async () => {
    const { check, answer, written, checks } = stream();
    check('still here');
    check();
    await answer('unknown');
    expect(written).to.deep.equal(['still here']);
    expect(checks).to.have.length(1);
    await answer('gone');
    expect(written).to.deep.equal(['still here', 'END']);
  });
});

describe('api: the number of open streams', () => {
  it('is limited per subscription, per key and per process, and a place is freed only once', () => {
    const take = createStreamLimit({ perSubscription: 2, perKey: 3, perProcess: 4 });
    const taken = (subscriptionId: string, keyId: string) => {
      const place = take({ subscriptionId, keyId });
      return 'outcome' in place ? place.code : place.leave;
    };
    const leave = taken('sub_1', 'key_1');
    expect(taken('sub_1', 'key_1')).to.be.a('function');
    expect(taken('sub_1', 'key_1')).to.equal('rate_limited');
    expect(taken('sub_2', 'key_1')).to.be.a('function');
    expect(taken('sub_2', 'key_1')).to.equal('rate_limited');
    expect(taken('sub_3', 'key_2')).to.be.a('function');
    expect(taken('sub_4', 'key_3')).to.equal('unavailable');
    if (typeof leave !== 'function') throw new Error(leave);
    leave();
    leave();
    expect(taken('sub_4', 'key_3')).to.be.a('function');
    expect(taken('sub_5', 'key_4')).to.equal('unavailable');
  });
});
