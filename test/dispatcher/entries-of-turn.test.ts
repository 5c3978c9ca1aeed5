import { entriesOfTurn } from '@sluice/dispatcher/turns/entries-of-turn';
import { expect } from 'chai';

describe('the entries that a turn takes at once', () => {
  it('are as many as it asks for while few turns run', () => {
    expect(entriesOfTurn(64, 1)).to.equal(64);
    expect(entriesOfTurn(64, 16)).to.equal(64);
  });

  it('are its share of what the process may keep while many turns run, and 4 at least', () => {
    expect(entriesOfTurn(64, 64)).to.equal(16);
    expect(entriesOfTurn(64, 100_000)).to.equal(4);
    expect(entriesOfTurn(2, 100_000)).to.equal(2);
  });
});
