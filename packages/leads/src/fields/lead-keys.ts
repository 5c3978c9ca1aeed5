import { hash } from 'node:crypto';
import { withoutInvisible } from '@sluice/contract/lead/lead-fields';
import type { Lead, LeadContent, LeadKeys } from '@sluice/store/leads/lead-document';
import { readPhone } from './phone.ts';
import { storedWords, wordsToFind } from './search-words.ts';

/** Tokens have a colon, which no word has. */
export const emailWord = (email: string): string => `e:${emailKey(email)}`;
export const phoneWord = (key: string): string => `p:${key}`;
export const stageWord = (stage: string): string => `s:${stage}`;
export const tagWord = (tag: string): string => `t:${tag}`;

/** Addresses are compared without case, and without what shows nothing: conversations keep it. */
function emailKey(email: string): string {
  return withoutInvisible(email).trim().normalize('NFC').toLowerCase();
}

type Keyed = LeadContent & Pick<Lead, 'stage'>;

/** The fields that keys are made of, beside the tags. */
const KEY_FIELDS = ['name', 'company', 'email', 'phone', 'stage'] as const;

/** Builds the keys by which a lead is found. `region` is the account's phone region. */
export function leadKeys(lead: Keyed, region: string | null): LeadKeys {
  const { name = '', company = '', email = '', tags } = lead;
  const phone = lead.phone === undefined ? undefined : readPhone(lead.phone, region);
  const stored = storedWords([...[name, company, email].flatMap(wordsToFind), ...(phone?.digits ?? [])]);
  const facets = [stageWord(lead.stage), ...tags.map(tagWord)];
  const exact = [
    ...(email === '' ? [] : [emailWord(email)]),
    ...(phone?.key === undefined ? [] : [phoneWord(phone.key)]),
  ];
  return { words: [...stored.beginnings, ...exact, ...facets], long_words: stored.long_words, facets };
}

/** The keys after a change. Undefined if they stay the same, as with most changes. */
export function changedKeys(before: Keyed, after: Keyed, region: string | null): LeadKeys | undefined {
  // The region of the account may have changed since the number was stored.
  const same =
    after.phone === undefined &&
    KEY_FIELDS.every((field) => before[field] === after[field]) &&
    before.tags.length === after.tags.length &&
    before.tags.every((tag, i) => tag === after.tags[i]);
  return same ? undefined : leadKeys(after, region);
}

/** The claims that a lead may have, by field. */
export interface Claims {
  readonly email?: string;
  readonly phone?: string;
}

/** Hashes, so that an index entry is short. They name the field, because an email could look like a phone number. */
export function claimsOf({ email, phone }: LeadContent, region: string | null): Claims {
  const key = phone === undefined ? undefined : readPhone(phone, region).key;
  return {
    ...(email !== undefined && { email: claim('email', emailKey(email)) }),
    ...(key !== undefined && { phone: claim('phone', key) }),
  };
}

function claim(field: keyof Claims, key: string): string {
  return hash('sha256', JSON.stringify([field, key]), 'base64url').slice(0, 22);
}
