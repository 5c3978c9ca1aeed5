import { z } from 'zod';
import { SCOPES, type Scope } from './scopes.ts';

const SCOPE_NAMES = Object.keys(SCOPES) as [Scope, ...Scope[]];
const instant = z.string().meta({ format: 'date-time', description: 'ISO 8601, in UTC.' });

/** The answer of the identity check: which account a key acts on, and what the key is (design: Keys and secrets). */
export const identity = z.object({
  account: z.object({ id: z.string(), name: z.string() }),
  key: z.object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().meta({ description: 'The first characters of the key, as the dashboard shows them.' }),
    scopes: z.array(z.enum(SCOPE_NAMES)),
    created_at: instant,
    expires_at: instant.nullable(),
    last_used_at: instant.nullable().meta({ description: 'The use before this one, within some seconds.' }),
  }),
});
export type Identity = z.infer<typeof identity>;

export const IDENTITY_PATH = '/api/public/automation/me';
