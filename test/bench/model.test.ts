import { expect } from 'chai';
import { carries, NODE_26, oneRedisCarries } from '../../bench/model.ts';

const costs = { ingress: 80, redis: 20, worker: 60, store: 40 };

describe('the capacity of more machines', () => {
  it('is limited by the cores while no single process is full', () => {
    const load = carries(costs, { cores: 2, redis: 1, stores: 1 });
    expect(load).to.deep.include({ actionsPerSecond: 10_000, saturated: 'cores', coresUsed: 2 });
  });

  it('is limited by one Redis if there are enough cores', () => {
    const load = carries(costs, { cores: 64, redis: 1, stores: Number.POSITIVE_INFINITY });
    expect(load).to.deep.include({ actionsPerSecond: 50_000, saturated: 'redis', coresUsed: 10 });
  });

  it('grows with the Redis processes until something else is full', () => {
    const with4 = carries(costs, { cores: 64, redis: 4, stores: Number.POSITIVE_INFINITY });
    expect(with4).to.deep.include({ actionsPerSecond: 200_000, saturated: 'redis' });
    const with8 = carries(costs, { cores: 64, redis: 8, stores: Number.POSITIVE_INFINITY });
    expect(with8).to.deep.include({ actionsPerSecond: 320_000, saturated: 'cores', coresUsed: 64 });
  });

  it('names a store of one process if it is full first', () => {
    expect(carries(costs, { cores: 16, redis: 2, stores: 1 })).to.deep.include({
      actionsPerSecond: 25_000,
      saturated: 'store',
    });
  });

  it('counts the processes that the rate needs, each using at most one core', () => {
    const { ingresses, workers } = carries(costs, { cores: 64, redis: 1, stores: Number.POSITIVE_INFINITY });
    expect({ ingresses, workers }).to.deep.equal({ ingresses: 4, workers: 3 });
  });

  it('says what one Redis carries by the costs on Node 26', () => {
    expect(Math.round(oneRedisCarries(NODE_26))).to.equal(41_667);
    const load = carries(NODE_26, { cores: 64, redis: 1, stores: Number.POSITIVE_INFINITY });
    expect(load).to.deep.include({ actionsPerSecond: oneRedisCarries(NODE_26), saturated: 'redis' });
  });
});
