import type { PresetName } from './presets.ts';

/** What an admin knows of a platform. The dashboard loads it without the profiles, which bring the library of schemas. */
export interface SetUp {
  /** The name of the platform. */
  readonly title: string;
  /** Who makes the secret, so that an admin pastes it here or there. */
  readonly secret: 'theirs' | 'ours';
  /** What its signature covers. Without a time, a recorded request can be sent again. */
  readonly signs: 'time and body' | 'body' | 'nothing';
}

export const SET_UP: Readonly<Record<PresetName, SetUp>> = {
  'standard-webhooks': {
    title: 'Standard Webhooks (Svix)',
    secret: 'theirs',
    signs: 'time and body',
  },
  calendly: {
    title: 'Calendly',
    secret: 'ours',
    signs: 'time and body',
  },
  'cal-com': {
    title: 'Cal.com',
    secret: 'ours',
    signs: 'body',
  },
  'ticket-tailor': {
    title: 'Ticket Tailor',
    secret: 'theirs',
    signs: 'time and body',
  },
  typeform: {
    title: 'Typeform',
    secret: 'ours',
    signs: 'body',
  },
  github: {
    title: 'GitHub',
    secret: 'ours',
    signs: 'body',
  },
  stripe: {
    title: 'Stripe',
    secret: 'theirs',
    signs: 'time and body',
  },
  shopify: {
    title: 'Shopify',
    secret: 'theirs',
    signs: 'body',
  },
  hmac: {
    title: 'HMAC of the body',
    secret: 'ours',
    signs: 'body',
  },
  token: {
    title: 'Bearer token',
    secret: 'ours',
    signs: 'nothing',
  },
  basic: {
    title: 'User and password',
    secret: 'ours',
    signs: 'nothing',
  },
};

/** The platform of a preset; undefined: code that signs by the scheme of Sluice. */
export function setUpOf(preset: string): SetUp | undefined {
  return Object.hasOwn(SET_UP, preset) ? SET_UP[preset as PresetName] : undefined;
}
