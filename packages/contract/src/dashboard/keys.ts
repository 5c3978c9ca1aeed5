import { z } from 'zod';
import { SCOPES, type Scope } from '../scopes.ts';
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
  revoked_at: instantText.nullable(),
});
export type KeyItem = z.infer<typeof keyItem>;

/** Newest first; revoked ones too. */
export const keyList = z.object({ items: z.array(keyItem) });
export type KeyList = z.infer<typeof keyList>;

export const newKey = z.object({
  name: nameInput,
  scopes: z.array(scopeSchema).min(1, 'Choose at least one scope.'),
  /** In the future; null or absent: never. */
  expires_at: instantInput.nullable().optional(),
});
export type NewKey = z.input<typeof newKey>;

/** `key` is the full key: answered this once, stored nowhere. */
export const keyCreated = z.object({ key: z.string(), item: keyItem });
export type KeyCreated = z.infer<typeof keyCreated>;
