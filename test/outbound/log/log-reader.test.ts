import { createLogReader } from '@sluice/outbound/log/log-reader';
import type { LogQuery, OutboundChange } from '@sluice/store/outbound/outbound-changes';
import { expect } from 'chai';

const MIB = 1024 * 1024;

/** A log whose changes have a text of this length each. */
function readerOf(length: number) {
  const queries: LogQuery[] = [];
  const text = 'x'.repeat(length);
  const reader = createLogReader({
    outboundChanges: {
      async readLog(query) {
        queries.push(query);
        const count = Math.min(query.limit, query.upTo - query.after);
        const changes = Array.from({ length: count }, (_, n) => ({ number: query.after + n + 1, text }));
        return { changes: changes as unknown as OutboundChange[], more: count < query.upTo - query.after };
      },
    },
  });
  return { reader, queries };
}

describe('the log of an account: its readers', () => {
  it('share what they read at about the same time', async () => {
    const { reader, queries } = readerOf(800);
    const parts = await Promise.all([0, 0, 10].map((after) => reader.read('acc_1', after, 100)));
    expect(parts.map(({ changes }) => changes.length)).to.deep.equal([100, 100, 90]);
    expect(queries).to.have.length(1);
  });

  it('keep 16 MiB of it at most', async () => {
    const { reader, queries } = readerOf(MIB);
    for (let account = 0; account < 20; account++) await reader.read(`acc_${account}`, 0, 1);
    await reader.read('acc_19', 0, 1);
    expect(queries).to.have.length(20);
    await reader.read('acc_0', 0, 1);
    expect(queries).to.have.length(21);
  });

  it('read fewer changes at once where they are large', async () => {
    const { reader, queries } = readerOf(MIB / 4);
    await reader.read('acc_1', 0, 10_000);
    await reader.read('acc_2', 0, 10_000);
    expect(queries.map(({ limit }) => limit)).to.deep.equal([256, 4]);
  });
});
