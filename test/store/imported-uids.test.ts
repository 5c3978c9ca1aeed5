import { expect } from 'chai';
import { useStore } from './support.ts';

describe('store: the UIDs of imported calendars', () => {
  const used = useStore();

  it('looks up as many UIDs as it can at once and names the others, but none with too many days', async () => {
    const { importedUids } = used.store;
    const note = async (uid: string, from: number, to: number) => {
      const days = Array.from({ length: to - from }, (_, day) => `${from + day}`);
      const entries = days.map((day) => ({ uid, recurrence_id: day, event_id: `evt_${uid}_${day}` }));
      await importedUids.noteUids('src_1', entries, 1_795_250_000_000);
    };
    const half = 5;
    const find = (...uids: string[]) => importedUids.findUids('src_1', uids, 2 * half);
    for (const uid of ['a', 'b']) await note(uid, 0, half);
    const whole = await find('a', 'b', 'none');
    expect(whole.entries).to.have.length(2 * half);
    expect(whole).to.deep.include({ unread: [], tooMany: false });

    await note('b', half, half + 1);
    await note('a', half, half + 1);
    const first = await find('a', 'b');
    expect(first.entries).to.have.length(half + 1);
    expect(first.tooMany).to.equal(false);
    const second = await find(...first.unread);
    expect([...first.entries, ...second.entries].map(({ event_id }) => event_id)).to.have.length(
      2 * half + 2,
    );
    expect(second.unread).to.deep.equal([]);
    expect(new Set([...first.entries, ...second.entries].map(({ uid }) => uid))).to.have.all.keys('a', 'b');

    await note('a', half + 1, 2 * half + 1);
    expect((await find('a')).tooMany).to.equal(true);
  });
});
