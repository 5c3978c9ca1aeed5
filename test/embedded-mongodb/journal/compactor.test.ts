import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CompactorDeps, createCompactor } from '@sluice/embedded-mongodb/journal/compactor';
import { expect } from 'chai';

/** A journal of 1,000 bytes, all of them garbage, on a disk with free space. A test may replace these values. */
function journal(given: Partial<CompactorDeps> = {}) {
  const state = { size: 1000, free: 10_000, compactions: 0, messages: [] as string[] };
  const compactor = createCompactor({
    compact: async () => {
      state.compactions++;
    },
    isDue: () => state.size >= 1000,
    size: () => state.size,
    needs: () => 500,
    free: async () => state.free,
    log: (message) => state.messages.push(message),
    ...given,
  });
  /** Sets the size of the journal in bytes. Resolves when the resulting work is over. */
  async function grown(size: number): Promise<void> {
    state.size = size;
    compactor.consider();
    for (let turn = 0; turn < 5; turn++) await nextTurn();
  }
  return { state, grown };
}

describe('embedded-mongodb: when the journal is compacted', () => {
  it('it is not compacted without room for a copy, and checked again once it has grown by a quarter', async () => {
    const { state, grown } = journal();
    state.free = 499;
    for (const size of [1000, 1001, 1249]) await grown(size);
    expect(state.compactions).to.equal(0);
    expect(state.messages).to.have.length(1);
    expect(state.messages[0]).to.include('499 bytes of the disk are free, 500 are needed');
    await grown(1250);
    expect(state.messages).to.have.length(2);
  });

  it('it is compacted once there is room', async () => {
    const { state, grown } = journal({
      compact: async () => {
        state.compactions++;
        state.size = 10;
      },
    });
    state.free = 0;
    await grown(1000);
    state.free = 500;
    await grown(1249);
    expect(state.compactions).to.equal(0);
    await grown(1250);
    expect(state.compactions).to.equal(1);
    await grown(1000);
    expect(state.compactions).to.equal(2);
  });

  it('after a failure it is retried once the journal has grown by a quarter', async () => {
    let tries = 0;
    const { state, grown } = journal({
      compact: async () => {
        tries++;
        throw new Error('ENOSPC: no space left on device');
      },
    });
    for (const size of [1000, 1100, 1200]) await grown(size);
    expect(tries).to.equal(1);
    expect(state.messages.join()).to.match(/failed: Error: ENOSPC.*the old journal goes on.*1250 bytes/);
    await grown(1300);
    expect(tries).to.equal(2);
  });
});
