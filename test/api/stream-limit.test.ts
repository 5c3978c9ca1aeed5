import { createStreamLimit } from '@sluice/api/parts/stream-limit';
import { expect } from 'chai';

describe('api: the number of open streams', () => {
  it('is limited per subscription, per key and per process', () => {
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
    expect(taken('sub_4', 'key_3')).to.be.a('function');
    expect(taken('sub_5', 'key_4')).to.equal('unavailable');
  });
});
