import { createReadText } from '@sluice/dispatcher/attempt/read-text';
import { expect } from 'chai';
import { until } from '../support/until.ts';

/** Reads of texts that end when the test says so. */
function reads(erased: ReadonlySet<string> = new Set()) {
  const asked: (readonly string[])[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const find = createReadText((changeIds) => {
    asked.push(changeIds);
    return new Promise((resolve, reject) => {
      ends.push((error) => {
        if (error !== undefined) reject(error);
        else resolve(new Map(changeIds.filter((id) => !erased.has(id)).map((id) => [id, `text of ${id}`])));
      });
    });
  });
  return { find, asked, ends };
}

describe('dispatcher: texts that are read again', () => {
  it('share one read while another one is under way', async () => {
    const { find, asked, ends } = reads(new Set(['c2']));
    const first = find('c0');
    await until(() => asked.length === 1);
    const others = ['c1', 'c2', 'c1'].map(find);
    ends[0]?.();
    expect(await first).to.equal('text of c0');
    await until(() => asked.length === 2);
    expect(asked[1]).to.deep.equal(['c1', 'c2']);
    ends[1]?.();
    expect(await Promise.all(others)).to.deep.equal(['text of c1', undefined, 'text of c1']);
  });

  it('never come from a read that began before they were asked for', async () => {
    const { find, asked, ends } = reads();
    const first = find('c0');
    await until(() => asked.length === 1);
    const second = find('c0');
    ends[0]?.();
    await first;
    await until(() => asked.length === 2);
    ends[1]?.();
    expect(await second).to.equal('text of c0');
  });

  it('are read a bounded number at once', async () => {
    const { find, asked, ends } = reads();
    const all = Array.from({ length: 450 }, (_, n) => find(`c${n}`));
    for (const read of [1, 2, 3]) {
      await until(() => asked.length === read);
      ends[read - 1]?.();
    }
    await Promise.all(all);
    expect(asked.map(({ length }) => length)).to.deep.equal([200, 200, 50]);
  });

  it('fail with their own read only', async () => {
    const { find, asked, ends } = reads();
    const first = find('c0');
    await until(() => asked.length === 1);
    const second = find('c1');
    ends[0]?.(new Error('away'));
    expect(await first.catch(({ message }: Error) => message)).to.equal('away');
    await until(() => asked.length === 2);
    ends[1]?.();
    expect(await second).to.equal('text of c1');
  });
});
