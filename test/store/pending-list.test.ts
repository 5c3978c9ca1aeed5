import type { PendingChange } from '@sluice/contract/message/change';
import { bytesOfChanges, fromStoredChanges } from '@sluice/store/pending/pending-list';
import { toStoredChange } from '@sluice/store/pending/stored-change';
import { expect } from 'chai';

describe('store: the bytes of changes that are not published yet', () => {
  const changes = Array.from({ length: 8 }, (_, n): PendingChange => {
    const actor = { type: 'source', id: 'src_1' } as const;
    return { sequence: n, kind: 'lead.updated', at: n, actor, data: { name: 'Zoë "Z"\n\u0001 🎪' } };
  });
  const stored = changes.map(toStoredChange);
  const bytes = stored.reduce((sum, { rest }) => sum + Buffer.byteLength(rest), 0);

  it('are those of their texts in the document', () => {
    expect(bytesOfChanges(changes)).to.equal(bytes);
    expect(bytesOfChanges([])).to.equal(0);
  });

  it('are known of a list that was loaded, which is not encoded again', () => {
    const loaded = fromStoredChanges(stored);
    expect(loaded).to.deep.equal(changes);
    let encoded = 0;
    for (const { data } of loaded) Object.assign(data, { toJSON: () => ++encoded });
    expect(bytesOfChanges(loaded)).to.equal(bytes);
    expect(encoded).to.equal(0);
  });
});
