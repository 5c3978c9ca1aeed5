import * as z from 'zod';
import { SCOPES, type Scope } from '../account/scopes.ts';
import { OUTCOMES } from '../delivery/delivery.ts';
import { PROBLEMS, type ProblemCode } from '../problem/problem.ts';

const SCOPE_NAMES = Object.keys(SCOPES) as [Scope, ...Scope[]];
const instant = z.string().meta({ format: 'date-time', description: 'ISO 8601, in UTC.' });

/** The response of the identity check: the account of a key, and the key. */
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

const CODES = Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]];

/** The body of every rejection, of webhook and API: RFC 9457 problem details. */
export const problem = z
  .object({
    type: z.string().meta({ description: 'Where the code is explained.' }),
    title: z.string(),
    status: z.number().int(),
    detail: z.string().meta({ description: 'What to do about it.' }),
    message: z.string().meta({ description: 'The same text as `detail`.' }),
    code: z.enum(CODES),
    request_id: z.string().meta({ description: 'As in the header X-Request-Id.' }),
    errors: z
      .array(
        z.object({
          pointer: z
            .string()
            .meta({ description: 'RFC 6901, into the body; for a query parameter a slash and its name.' }),
          field: z.string().meta({ description: 'The pointer in dotted form, such as `fields.budget`.' }),
          detail: z.string(),
        }),
      )
      .optional(),
    required_scopes: z
      .array(z.enum(SCOPE_NAMES))
      .optional()
      .meta({ description: 'Only with `scope_missing`: any one of these scopes is enough.' }),
  })
  .meta({ description: 'Why a request was rejected, and how to correct it (RFC 9457).' });

/** The webhook's response to an accepted request. */
export const accepted = z.object({
  ok: z.literal(true),
  status: z.literal('ok'),
  delivery_id: z.string(),
  duplicate: z.literal(true).optional().meta({ description: 'This very request was accepted before.' }),
  ignored: z.literal(true).optional().meta({
    description:
      'The mapping of the source has no rule for this body, or one that ignores it. Nothing changed.',
  }),
  note: z.string().optional().meta({
    description:
      'A sentence for people. Of an upsert: fields of the event that are not known, and were ignored. Of a body that the mapping of the source cannot read: why.',
  }),
  outcome: z.enum(OUTCOMES).optional().meta({
    description: 'Only with `Prefer: wait`: what became of the action. Absent if it was not applied in time.',
  }),
  event_id: z.string().optional().meta({ description: 'Only with `outcome`: the event.' }),
  conversation_id: z
    .string()
    .optional()
    .meta({ description: 'Only with `outcome`: the conversation of a channel.' }),
});
