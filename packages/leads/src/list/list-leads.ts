import type { LeadFilterQuery } from '@sluice/contract/lead/lead';
import type { Lead } from '@sluice/store/leads/lead-document';
import type { LeadFilter, LeadPage } from '@sluice/store/leads/lead-query';
import type { LeadDeps } from '../deps.ts';
import { stageWord, tagWord } from '../fields/lead-keys.ts';
import { searchWords } from '../fields/search-words.ts';
import { matchWords } from '../match/find-match.ts';

export interface ListLeads extends LeadPage {
  readonly accountId: string;
  readonly filter: LeadFilterQuery;
  /** Earliest change, included. Milliseconds since the Unix epoch. */
  readonly updatedSince?: number | undefined;
}

export type LeadsListed =
  | { readonly status: 'page'; readonly items: readonly Lead[]; readonly more: boolean }
  /** No word of `q` has two characters. */
  | { readonly status: 'query_too_short' };

const NOTHING: LeadsListed = { status: 'page', items: [], more: false };

/** One page of an account's leads. All filters must match. */
export async function listLeads(deps: LeadDeps, list: ListLeads): Promise<LeadsListed> {
  const { accountId, filter: given, updatedSince, ...page } = list;
  const filter = trimmed(given);
  const search = filter.q ? searchWords(filter.q) : NO_WORDS;
  if (search === undefined) return { status: 'query_too_short' };
  const exact = await exactWords(deps, accountId, { email: filter.email, phones: phonesIn(given.phone) });
  // A phone number without a digit is nobody's.
  if (exact.some((some) => some.length === 0)) return NOTHING;
  const words = [...exact, ...search.words];
  const facets = facetsOf(filter);
  // In the order of changes, stage and tag have their own index. Beside words they only narrow the result.
  const byFacets = page.by === 'updated_at' || words.length > 0;
  const found = await deps.leadSearch.pageLeads(
    {
      account_id: accountId,
      words: byFacets ? words : facets.map((facet) => [facet]),
      facets: byFacets ? facets : [],
      long_words: search.long_words,
      ...(filter.external_id !== undefined && { external_id: filter.external_id }),
      ...(updatedSince !== undefined && { updated_since: updatedSince }),
    },
    page,
  );
  return { status: 'page', ...found };
}

/** The number of leads in a stage, counted up to `limit`. */
export function countInStage(
  { leadSearch }: Pick<LeadDeps, 'leadSearch'>,
  { accountId, stage, limit }: { accountId: string; stage: string; limit: number },
): Promise<number> {
  return leadSearch.countLeads(inStage(accountId, stage), limit);
}

/** Selects the leads in a stage. */
export const inStage = (accountId: string, stage: string): LeadFilter => ({
  account_id: accountId,
  words: [[stageWord(stage)]],
});

/** Stored values are trimmed as well. */
function trimmed(filter: LeadFilterQuery): LeadFilterQuery {
  return Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, value?.trim()]));
}

const NO_WORDS = { words: [], long_words: [] };

/** A `+` that was not encoded arrives as a space. A space may be just a space as well, so both numbers are looked for. */
function phonesIn(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const phone = text.trim();
  return /^ \d/.test(text) ? [`+${phone}`, phone] : [phone];
}

interface Exact {
  readonly email: string | undefined;
  /** Readings of one number. Empty: no filter by phone. */
  readonly phones: readonly string[];
}

async function exactWords(
  { settings }: LeadDeps,
  accountId: string,
  { email, phones }: Exact,
): Promise<(readonly string[])[]> {
  const words = email === undefined ? [] : [matchWords('email', email, null)];
  if (phones.length === 0) return words;
  const { phone_region } = await settings.read(accountId);
  return [...words, [...new Set(phones.flatMap((phone) => matchWords('phone', phone, phone_region)))]];
}

/** A tag is rarer than a stage. */
function facetsOf({ tag, stage }: LeadFilterQuery): string[] {
  return [...(tag === undefined ? [] : [tagWord(tag)]), ...(stage === undefined ? [] : [stageWord(stage)])];
}
