import { expect } from 'chai';
import { keepActions } from '../../services/worker/src/finish-group.ts';
import { readActions } from '../../services/worker/src/take/read-actions.ts';
import { createSource, upsert } from './support/groups.ts';

describe('worker: a part of a group', () => {
  it('has the same ids, sequence numbers and duplicates as in the whole group', () => {
    const source = createSource();
    const actions = ['a', 'b', 'c', 'd'].map((title) => {
      const { delivery_id, sequence, duplicate_of, ...enqueued } = source.admit(upsert(title, 'free'));
      return enqueued;
    });
    const group = { v: 5, group_id: 'grp_1', sequences: [7, 8, 8, 9], repeated: [2], actions };
    const part = keepActions(group, [1, 2]);
    const whole = readActions(group, '1').members;
    expect(whole.map(({ status }) => status)).to.deep.equal(Array(4).fill('readable'));
    expect(readActions(part, '1').members).to.deep.equal(whole.slice(1, 3));
    expect(part).to.deep.include({ v: 5, group_id: 'grp_1', sequences: [8, 8], repeated: [1] });
  });

  it('has no lists that the group lacks', () => {
    const source = createSource();
    const group = { v: 1, group_id: 'grp_1', actions: [source.admit(upsert('a', 'free'))] };
    expect(keepActions(group, [0])).to.deep.equal(group);
  });
});
