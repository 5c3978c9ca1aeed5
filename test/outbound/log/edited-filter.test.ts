import { earlierAfter } from '@sluice/outbound/subscriptions/next-version';
import { expect } from 'chai';
import { change, changeIds, useCursors } from './support/use-cursors.ts';

const updated = (id: string) => change(id, { kind: 'lead.updated' });

describe('an edit of kinds and filter', () => {
  const room = useCursors();
  const { publishAll, publish, append, claimOne } = room;

  it('holds from the next change on, also for a subscription that is behind', async () => {
    await publishAll({ events: ['lead.created'] });
    const first = await append(change('c1'), updated('u1'));
    await publish({
      ...{ version: 2, events: ['lead.updated'], filter: { stage: 'won' } },
      earlier: [{ to: first, events: ['lead.created'], filter: {} }],
    });
    const second = await append(change('c2'), updated('u2'), { ...updated('u3'), stage: 'won' });
    await publish({
      ...{ version: 3, events: ['*'] },
      earlier: [
        { to: first, events: ['lead.created'], filter: {} },
        { to: second, events: ['lead.updated'], filter: { stage: 'won' } },
      ],
    });
    const third = await append(change('c3'), updated('u4'));
    await publish({
      ...{ version: 4, events: ['lead.created'] },
      earlier: [
        { to: first, events: ['lead.created'], filter: {} },
        { to: second, events: ['lead.updated'], filter: { stage: 'won' } },
        { to: third, events: [], filter: {} },
      ],
    });
    await append(change('c4'), updated('u5'));
    expect(changeIds(await claimOne())).to.deep.equal(['c1', 'u3', 'c4']);
  });
});

describe('what a subscription asked for before edits', () => {
  const asked = (events: string[]) => ({ events, filter: {} });
  const at = (to: number, ...events: string[]) => ({ to, ...asked(events) });

  it('is kept until the cursor has passed it', () => {
    expect(earlierAfter(asked(['a']), 5, 0)).to.deep.equal([at(5, 'a')]);
    expect(earlierAfter(asked(['a']), 5, 5)).to.deep.equal([]);
    const before = { ...asked(['b']), earlier: [at(5, 'a')] };
    expect(earlierAfter(before, 8, 4)).to.deep.equal([at(5, 'a'), at(8, 'b')]);
    expect(earlierAfter(before, 8, 6)).to.deep.equal([at(8, 'b')]);
  });

  it('is kept once if nothing changed between two edits', () => {
    expect(earlierAfter({ ...asked(['b']), earlier: [at(5, 'a')] }, 5, 0)).to.deep.equal([at(5, 'a')]);
  });

  it('is the newest 20 of them', () => {
    const earlier = Array.from({ length: 20 }, (_, n) => at(n + 1, `kind${n}`));
    const kept = earlierAfter({ ...asked(['last']), earlier }, 30, 0);
    expect(kept).to.deep.equal([...earlier.slice(1), at(30, 'last')]);
  });
});
