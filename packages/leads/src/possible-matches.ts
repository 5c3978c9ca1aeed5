import type { LeadInput, LeadMatch } from '@sluice/contract/lead';
import type { LeadSettings } from '@sluice/store/leads/lead-settings';
import type { LeadDeps } from './deps.ts';
import { matchWords } from './find-match.ts';

export interface PossibleMatches {
  readonly accountId: string;
  readonly inputs: readonly LeadInput[];
  readonly matchOn: readonly LeadMatch[];
}

/**
 * The ids of the leads that creates with these inputs would find. A create uses the first field that matches; this has the
 * leads of all of them. One read for all emails and phone numbers.
 */
export async function possibleMatches(
  { leads }: Pick<LeadDeps, 'leads'>,
  { accountId, inputs, matchOn }: PossibleMatches,
  { phone_region }: Pick<LeadSettings, 'phone_region'>,
): Promise<ReadonlySet<string>> {
  const valuesOf = (field: LeadMatch) =>
    matchOn.includes(field) ? inputs.flatMap((input) => input[field] ?? []) : [];
  const words = (['email', 'phone'] as const).flatMap((field) =>
    valuesOf(field).map((value) => matchWords(field, value, phone_region)),
  );
  const [byWords, byExternalId] = await Promise.all([
    words.length === 0 ? [] : leads.findOldestOfEach(accountId, words),
    Promise.all(valuesOf('external_id').map((value) => leads.findByExternalId(accountId, value))),
  ]);
  return new Set([...byWords, ...byExternalId].flatMap((lead) => lead?.lead_id ?? []));
}
