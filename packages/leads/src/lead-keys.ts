import { hash } from 'node:crypto';
import type { Lead, LeadContent, LeadKeys } from '@sluice/store/lead-document';
import { readPhone } from './phone.ts';
import { foldedWords, storedWords } from './search-words.ts';

/** Tokens have a colon, which no word has. */
export const emailWord = (email: string): string => `e:${emailKey(email)}`;
export const phoneWord = (key: string): string => `p:${key}`;
export const stageWord = (stage: string): string => `s:${stage}`;
export const tagWord = (tag: string): string => `t:${tag}`;

/** Addresses are compared without case. */
function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase();
}

/** What a lead is found by. `region` is the account's phone region. */
export function leadKeys(lead: LeadContent & Pick<Lead, 'stage'>, region: string | null): LeadKeys {
  const { name = '', company = '', email = '', tags } = lead;
  const phone = lead.phone === undefined ? undefined : readPhone(lead.phone, region);
  const stored = storedWords([...[name, company, email].flatMap(foldedWords), ...(phone?.digits ?? [])]);
  const facets = [stageWord(lead.stage), ...tags.map(tagWord)];
  const exact = [
    ...(email === '' ? [] : [emailWord(email)]),
    ...(phone?.key === undefined ? [] : [phoneWord(phone.key)]),
  ];
  return { words: [...stored.beginnings, ...exact, ...facets], long_words: stored.long_words, facets };
}

/** What a lead may claim, by field. */
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
