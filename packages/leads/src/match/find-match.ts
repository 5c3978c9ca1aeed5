import type { LeadInput, LeadMatch } from '@sluice/contract/lead/lead';
import type { Lead } from '@sluice/store/leads/lead-document';
import type { LeadSettings } from '@sluice/store/leads/lead-settings';
import type { LeadDeps } from '../deps.ts';
import { emailWord, phoneWord } from '../fields/lead-keys.ts';
import { readPhone, unreadDigits } from '../fields/phone.ts';

export interface Matching {
  readonly accountId: string;
  readonly input: LeadInput;
  readonly matchOn?: readonly LeadMatch[] | undefined;
  /** The lead that an export names. If it exists, nothing else is compared. */
  readonly leadId?: string | undefined;
}

/**
 * The lead that a create changes: by the first field that matches, the oldest lead. If the create matches on its external_id, a
 * lead with another one is another record, whatever else they share.
 */
export async function findMatch(
  { leads }: Pick<LeadDeps, 'leads'>,
  { accountId, input, matchOn = [], leadId }: Matching,
  { phone_region }: Pick<LeadSettings, 'phone_region'>,
): Promise<Lead | undefined> {
  const named = leadId === undefined ? undefined : await leads.findLead(accountId, leadId);
  if (named !== undefined) return named;
  for (const field of matchOn) {
    const value = input[field];
    if (value === undefined) continue;
    const found =
      field === 'external_id'
        ? await leads.findByExternalId(accountId, value)
        : await leads.findOldest(accountId, matchWords(field, value, phone_region));
    if (found !== undefined && !isOther(found, input, matchOn)) return found;
  }
  return undefined;
}

function isOther({ external_id }: Lead, input: LeadInput, matchOn: readonly LeadMatch[]): boolean {
  return external_id !== undefined && matchesOnId({ input, matchOn }) && external_id !== input.external_id;
}

/** Whether a create is told apart from leads with another external_id. */
export function matchesOnId({ input, matchOn = [] }: Pick<Matching, 'input' | 'matchOn'>): boolean {
  return matchOn.includes('external_id') && input.external_id !== undefined;
}

/** The values by which two rows of one file are about the same new lead. */
export interface SharedValues {
  /** The values by which other rows find the lead of a row. */
  readonly has: string[];
  /** The values by which the row finds a lead. */
  readonly seeks: string[];
}

/** The values of a create by which it could match, in the form in which `findMatch` compares them. */
export function sharedValues(
  { input, matchOn = [] }: Pick<Matching, 'input' | 'matchOn'>,
  { phone_region }: Pick<LeadSettings, 'phone_region'>,
): SharedValues {
  const shared: SharedValues = { has: [], seeks: [] };
  for (const field of matchOn) {
    const value = input[field];
    if (value === undefined) continue;
    const words = field === 'external_id' ? [`x:${value}`] : matchWords(field, value, phone_region);
    // A row with an external_id finds the others of a new lead only if that has none.
    const none = (word: string) => `-${word}`;
    const toNone = field !== 'external_id' && matchesOnId({ input, matchOn });
    // A lead is stored with its first word alone. The others find leads of another phone region.
    const has = words.slice(0, 1);
    shared.has.push(...has, ...(matchesOnId({ input, matchOn }) ? [] : has.map(none)));
    shared.seeks.push(...(toNone ? words.map(none) : words));
  }
  return shared;
}

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

/** The words of leads with this email or phone number. */
export function matchWords(
  field: 'email' | 'phone',
  value: string,
  region: string | null,
): readonly string[] {
  if (field === 'email') return [emailWord(value)];
  // The region of the account may have changed since the number was stored.
  const { key = '' } = readPhone(value, region);
  const keys = [key, unreadDigits(value)];
  return [...new Set(keys)].filter((key) => key !== '').map(phoneWord);
}
