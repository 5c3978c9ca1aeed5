import type { LeadInput, LeadMatch } from '@sluice/contract/lead';
import type { Lead } from '@sluice/store/lead-document';
import type { LeadSettings } from '@sluice/store/lead-settings';
import type { LeadDeps } from './deps.ts';
import { emailWord, phoneWord } from './lead-keys.ts';
import { readPhone, unreadDigits } from './phone.ts';

export interface Matching {
  readonly accountId: string;
  readonly input: LeadInput;
  readonly matchOn?: readonly LeadMatch[] | undefined;
}

/** The lead that a create changes: by the first field that matches, the oldest lead. */
export async function findMatch(
  { leads }: Pick<LeadDeps, 'leads'>,
  { accountId, input, matchOn = [] }: Matching,
  { phone_region }: Pick<LeadSettings, 'phone_region'>,
): Promise<Lead | undefined> {
  for (const field of matchOn) {
    const value = input[field];
    if (value === undefined) continue;
    const found =
      field === 'external_id'
        ? await leads.findByExternalId(accountId, value)
        : await leads.findOldest(accountId, matchWords(field, value, phone_region));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The words of leads with this email or phone number. */
export function matchWords(
  field: 'email' | 'phone',
  value: string,
  region: string | null,
): readonly string[] {
  if (field === 'email') return [emailWord(value)];
  // The region of the account may have changed since the number was stored.
  const keys = [readPhone(value, region).key, unreadDigits(value)];
  return [...new Set(keys)]
    .filter((key) => key !== undefined && key !== '')
    .map((key) => phoneWord(key as string));
}
