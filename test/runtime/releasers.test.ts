import { createReleasers } from '@sluice/runtime/process/releasers';
import { expect } from 'chai';
import { silentLogger } from '../support/silent-logger.ts';

describe('releasers', () => {
  it('skip a release that overruns its deadline, and report it', async () => {
    const order: string[] = [];
    const releasers = createReleasers({ logger: silentLogger() });
    releasers.push('redis', () => order.push('redis'));
    releasers.push('hanging worker', () => new Promise(() => {}), { deadlineMs: 20 });
    expect(await releasers.release()).to.deep.equal({
      clean: false,
      overran: ['hanging worker'],
      failed: [],
    });
    expect(order).to.deep.equal(['redis']);
  });

  it('continue after a release that throws or rejects, and report it', async () => {
    const order: string[] = [];
    const releasers = createReleasers({ logger: silentLogger() });
    releasers.push('last', () => order.push('last'));
    releasers.push('rejects', () => Promise.reject(new Error('no')));
    releasers.push('throws', () => {
      throw new Error('no');
    });
    expect((await releasers.release()).failed).to.deep.equal(['throws', 'rejects']);
    expect(order).to.deep.equal(['last']);
  });
});
