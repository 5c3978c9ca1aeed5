import { OVERLAPS } from '@sluice/contract/account/overlap';
import { SCOPES, type Scope } from '@sluice/contract/account/scopes';
import * as z from 'zod';
import { instantInput, instantText, nameInput } from './common.ts';

const SCOPE_NAMES = Object.keys(SCOPES) as [Scope, ...Scope[]];
export const scopeSchema = z.enum(SCOPE_NAMES);

export const KEY_STATES = ['active', 'expired', 'revoked'] as const;

export const keyItem = z.object({
  key_id: z.string(),
  name: z.string(),
  /** `slc_live_` and the first 6 characters of the secret part. */
  prefix: z.string(),
  scopes: z.array(scopeSchema),
  state: z.enum(KEY_STATES),
  created_at: instantText,
  expires_at: instantText.nullable(),
  last_used_at: instantText.nullable(),
  /** Client address, route and client of the last use; null if never used. */
  last_used_from: z
    .object({
      address: z.string(),
      route: z.string(),
      /** The User-Agent of the client; absent if it sent none. */
      client: z.string().optional(),
    })
    .nullable(),
  revoked_at: instantText.nullable(),
  /** A rotation has made another key, to which the webhook subscriptions have moved. This one works until it expires. */
  replaced: z.boolean(),
});
export type KeyItem = z.infer<typeof keyItem>;

/** A row of the keys list. */
export const keyWithActivity = keyItem.extend({
  /** Accepted requests in the last 24 hours, oldest first: 24 entries. */
  activity: z.array(z.object({ at: instantText, uses: z.number() })),
  uses_24h: z.number(),
  /** How many client addresses these uses came from; 0 if they predate this counter. */
  clients_24h: z.number(),
});
export type KeyWithActivity = z.infer<typeof keyWithActivity>;

/** Newest first. Includes revoked keys for 30 days. */
export const keyList = z.object({ items: z.array(keyWithActivity) });
export type KeyList = z.infer<typeof keyList>;

export const newKey = z.object({
  name: nameInput,
  scopes: z
    .array(scopeSchema)
    .min(1, 'Choose at least one scope.')
    .max(SCOPE_NAMES.length, 'Name each scope once.'),
  /** Must be in the future; null or absent: never expires. */
  expires_at: instantInput.nullable().optional(),
});
export type NewKey = z.input<typeof newKey>;

export const keyRotation = z.object({
  /** How long the old key still works. */
  overlap: z.enum(OVERLAPS),
  /** The expiry of the new key. Must be in the future; null: never expires. */
  expires_at: instantInput.nullable(),
});
export type KeyRotation = z.input<typeof keyRotation>;

/** `key` is the full key: returned once, stored nowhere. */
export const keyCreated = z.object({ key: z.string(), item: keyItem });
export type KeyCreated = z.infer<typeof keyCreated>;

export const keyName = z.object({ name: nameInput });
export type KeyName = z.input<typeof keyName>;
