import { nameInput } from '@sluice/dashboard-api/common';
import { expect } from 'chai';

describe('dashboard: names of sources, channels, keys and people', () => {
  const accepts = (name: string) => nameInput.safeParse(name).success;

  it('need a character that can be seen', () => {
    for (const name of ['\u200b', '\u202e \u3164', '\u0007', '\u00ad'])
      expect(accepts(name), JSON.stringify(name)).to.equal(false);
    for (const name of ['A', '👩🏽‍🚀', '中', 'می‌خواهم', '-']) expect(accepts(name), name).to.equal(true);
  });

  it('have one message if they are empty', () => {
    const read = nameInput.safeParse('  ');
    expect(read.error?.issues.map(({ message }) => message)).to.deep.equal(['Empty. Give it a name.']);
  });
});
