import type { LeadFilter } from '@sluice/store/leads/lead-query';
import { createRarestFirst } from '@sluice/store/leads/rarest-word';
import { expect } from 'chai';

const ACCOUNT = 'acc_1';
const SAMPLE_MS = 10 * 500;

/** Leads created one in 10 ms up to `newest`. Every lead has the common word, one in 97 the rare one. */
function createNewest(newest = 1_000_000) {
  const seen = { spans: 0, since: [] as number[] };
  return {
    seen,
    async span() {
      seen.spans++;
      return { newest, oldest: newest - 500 };
    },
    async count({ words = [] }: LeadFilter, since: number) {
      seen.since.push(since);
      const leads = (newest - since) / 10;
      return words[0]?.[0] === 'common' ? leads : Math.floor(leads / 97);
    },
  };
}

const search = (...words: string[]): LeadFilter => ({
  account_id: ACCOUNT,
  words: words.map((word) => [word]),
});

describe('the word of a search that DocumentDB finds leads by', () => {
  it('is the one that fewer of the newest leads have, in either order', async () => {
    const rarestFirst = createRarestFirst(createNewest());
    expect(await rarestFirst(search('common', 'rare'))).to.deep.equal(search('rare', 'common'));
    expect(await rarestFirst(search('rare', 'common'))).to.deep.equal(search('rare', 'common'));
  });

  it('is looked for in ten pages of leads, and not at all in a search for one word', async () => {
    const newest = createNewest();
    const rarestFirst = createRarestFirst(newest);
    await rarestFirst(search('common'));
    expect(newest.seen).to.deep.equal({ spans: 0, since: [] });
    await rarestFirst(search('common', 'rare'));
    expect(newest.seen.since).to.deep.equal([1_000_000 - SAMPLE_MS, 1_000_000 - SAMPLE_MS]);
  });

  it('stays the first in an account with no more than a page of leads', async () => {
    const rarestFirst = createRarestFirst({ ...createNewest(), span: async () => undefined });
    expect(await rarestFirst(search('common', 'rare'))).to.deep.equal(search('common', 'rare'));
  });

  it('is found with one page a minute for each account', async () => {
    const newest = createNewest();
    let now = 0;
    const rarestFirst = createRarestFirst(newest, () => now);
    for (now of [0, 30_000, 59_999]) await rarestFirst(search('common', 'rare'));
    expect(newest.seen.spans).to.equal(1);
    now = 60_000;
    await rarestFirst(search('common', 'rare'));
    expect(newest.seen.spans).to.equal(2);
  });
});
