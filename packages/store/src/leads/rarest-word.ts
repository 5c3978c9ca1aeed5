import { MINUTE_MS } from '@sluice/contract/durations';
import { createBoundedMap } from '../reading/bounded-map.ts';
import type { LeadFilter } from './lead-query.ts';

/** The newest leads of an account. Times are milliseconds since the Unix epoch. */
export interface NewestLeads {
  /** When the first and the last lead of a page of the newest were created. Undefined: the account has no more than a page. */
  span(accountId: string): Promise<{ readonly newest: number; readonly oldest: number } | undefined>;
  /** How many leads match that were created at this time or later. */
  count(filter: LeadFilter, since: number): Promise<number>;
}

/** How many times the page's time a sample reaches back. */
const PAGES = 10;
/** A sample that is older may have too many leads. Milliseconds. */
const FRESH_MS = MINUTE_MS;
const MOST_ACCOUNTS = 1000;

/**
 * Puts the word first that the fewest of some hundred newest leads have. DocumentDB finds leads by one word of the index, and
 * compares the others in the documents (lead-query.ts). With a common first name that takes longer than a request may. The
 * length of a word is a bad measure: `Katarzyna Ng` has the longer name in common with many.
 */
export function createRarestFirst(
  { span, count }: NewestLeads,
  now: () => number = Date.now,
): (filter: LeadFilter) => Promise<LeadFilter> {
  const samples = createBoundedMap<{ readonly since: number | undefined; readonly at: number }>(
    MOST_ACCOUNTS,
  );

  async function sinceOf(accountId: string): Promise<number | undefined> {
    const known = samples.get(accountId);
    if (known !== undefined && now() - known.at < FRESH_MS) return known.since;
    const page = await span(accountId);
    const since = page && page.newest - PAGES * (page.newest - page.oldest);
    samples.set(accountId, { since, at: now() });
    return since;
  }

  return async (filter) => {
    const { account_id, words = [] } = filter;
    if (words.length < 2) return filter;
    const since = await sinceOf(account_id);
    if (since === undefined) return filter;
    const counted = await Promise.all(
      words.map(async (some) => ({ some, hits: await count({ account_id, words: [some] }, since) })),
    );
    return { ...filter, words: counted.sort((a, b) => a.hits - b.hits).map(({ some }) => some) };
  };
}
