import { type FieldError, pointerTo } from '@sluice/contract/problem/problem';
import { plainIssue } from '@sluice/contract/text/plain-issue';
import * as z from 'zod';

/**
 * How a source verifies its requests, as data (docs/senders.md). It has no code and no regular expression, so an admin can bring
 * their own.
 */

const MAX_PROFILE_BYTES = 16 * 1024;
const MAX_POINTER_DEPTH = 32;

const text = (max: number) => z.string().min(1, 'Empty. Remove it, or send a text.').max(max);

export const headerName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'Not a header name. Example: X-Signature')
  // A profile must not read what proxies and browsers add.
  .refine((name) => name.toLowerCase() !== 'cookie', 'Cookies cannot be verified. Name another header.');

/** A header, or two of which the first that is present counts. */
const headers = z.preprocess(
  (value) => (typeof value === 'string' ? [value] : value),
  z.array(headerName).min(1, 'Name a header.').max(2, 'At most two headers.'),
);

export const pointer = z
  .string()
  .max(500)
  .superRefine((value, context) => {
    if (value !== '' && !value.startsWith('/'))
      context.addIssue({
        code: 'custom',
        message: `A pointer begins with /. Send /${value.replaceAll('.', '/')}`,
      });
    else if (value.split('/').length - 1 > MAX_POINTER_DEPTH)
      context.addIssue({ code: 'custom', message: `Deeper than ${MAX_POINTER_DEPTH} levels.` });
  });

const clock = {
  unit: z.enum(['s', 'ms', 'iso']),
  /** Seconds, in both directions. */
  tolerance: z.int().min(60, 'At least 60 seconds.').max(86_400, 'At most 86400 seconds.').default(300),
};

const time = z.discriminatedUnion(
  'from',
  [
    z.strictObject({ from: z.literal('header'), header: headers, ...clock }),
    z.strictObject({ from: z.literal('pair'), name: text(32), ...clock }),
    z.strictObject({ from: z.literal('body'), at: pointer, ...clock }),
  ],
  { error: () => 'Send one of: header, pair, body.' },
);

const bodyId = z.strictObject({ from: z.literal('body'), at: pointer });
const id = z.discriminatedUnion(
  'from',
  [z.strictObject({ from: z.literal('header'), header: headers }), bodyId],
  { error: () => 'Send one of: header, body.' },
);

/** Where the signature is in the value of its header. */
const form = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('whole') }),
    z.strictObject({ kind: z.literal('prefix'), prefix: text(32) }),
    z.strictObject({ kind: z.literal('list'), separator: text(4), prefix: text(32) }),
    z.strictObject({ kind: z.literal('pairs'), separator: text(4).default(','), signature: text(32) }),
  ],
  { error: () => 'Send one of: whole, prefix, list, pairs.' },
);

/** The parts of the signed text that are no literals. */
const VARIABLES: readonly string[] = ['{body}', '{time}', '{id}'];

const signedPart = text(200).refine(
  (part) => !/^\{\w*\}$/.test(part) || VARIABLES.includes(part),
  `Not known. Send a literal, or one of: ${VARIABLES.join(', ')}.`,
);

const hmac = z
  .strictObject({
    kind: z.literal('hmac'),
    header: headers,
    form: form.default({ kind: 'whole' }),
    algorithm: z.enum(['sha256', 'sha512', 'sha1']).default('sha256'),
    /** SHA-1 is broken for certificates, not for HMAC. It needs a decision nevertheless. */
    legacy: z.literal(true).optional(),
    encoding: z.enum(['hex', 'base64', 'base64url']),
    signed: z.array(signedPart).min(1).max(10, 'At most 10 parts.'),
    time: time.optional(),
    id: id.optional(),
    key: z
      .strictObject({ encoding: z.enum(['text', 'base64', 'hex']), strip: text(20).optional() })
      .default({ encoding: 'text' }),
  })
  .superRefine((profile, context) => {
    for (const [path, message] of contradictions(profile))
      context.addIssue({ code: 'custom', path: [...path], message });
  });

const token = z.strictObject({
  kind: z.literal('token'),
  header: headers,
  /** `Bearer` and the like, before the token. */
  scheme: z
    .string()
    .regex(/^[A-Za-z]{1,20}$/, 'Only letters. Example: Bearer')
    .optional(),
  id: bodyId.optional(),
});

const basic = z.strictObject({
  kind: z.literal('basic'),
  user: text(200).refine((user) => !user.includes(':'), 'A user name has no colon.'),
  id: bodyId.optional(),
});

const profile = z.discriminatedUnion('kind', [hmac, token, basic], {
  error: () => 'Send one of: hmac, token, basic.',
});

export type Profile = z.output<typeof profile>;
export type HmacProfile = z.output<typeof hmac>;
export type TimeOf = z.output<typeof time>;

/** A profile as admins and presets write it, without defaults. */
export type ProfileInput = z.input<typeof profile>;

type Contradiction = readonly [path: readonly string[], detail: string];

/** What the fields say together. Without these checks a profile would protect less than it seems to. */
function* contradictions(profile: HmacProfile): Generator<Contradiction> {
  const { signed, time, id, form, header, algorithm, legacy } = profile;
  const signs = (variable: string) => signed.includes(variable);
  if (!signs('{body}'))
    yield [['signed'], 'Lacks {body}. A signature that does not cover the body protects nothing.'];
  if (signs('{time}') && (time === undefined || time.from === 'body'))
    yield [['signed'], 'Has {time}. Send where it is in "time", from a header or pair.'];
  if (signs('{id}') && id?.from !== 'header')
    yield [['signed'], 'Has {id}. Send where it is in "id", from a header.'];
  if (time !== undefined && time.from !== 'body' && !signs('{time}'))
    yield [['time'], 'Is not signed, so a replay could change it. Add {time} to "signed", or remove "time".'];
  if (id?.from === 'header' && !signs('{id}'))
    yield [['id'], 'Is not signed, so a replay could change it. Add {id} to "signed", or remove "id".'];
  if (time?.from === 'pair' && form.kind !== 'pairs')
    yield [['time', 'from'], 'A pair needs the form pairs. Send header, or change "form".'];
  if (header.some((name) => name.toLowerCase() === 'authorization'))
    yield [['header'], 'Authorization has a token or a password. Send the kind token or basic.'];
  if (algorithm === 'sha1' && legacy !== true)
    yield [['algorithm'], 'SHA-1 needs "legacy": true. Use sha256 if the sender offers it.'];
}

export type ReadProfile =
  | { readonly outcome: 'valid'; readonly profile: Profile }
  | { readonly outcome: 'invalid'; readonly errors: readonly FieldError[] };

/** Reads a profile as an admin has sent it. Unknown keys are errors, because a misspelt one would be a missing check. */
export function readProfile(value: unknown): ReadProfile {
  const read = profile.safeParse(value, { error: plainIssue });
  if (!read.success) return { outcome: 'invalid', errors: errorsOf(read.error) };
  if (JSON.stringify(read.data).length <= MAX_PROFILE_BYTES) return { outcome: 'valid', profile: read.data };
  return { outcome: 'invalid', errors: [{ pointer: '', detail: 'Larger than 16 KiB. Shorten it.' }] };
}

/** The errors of a document with strict objects: an unknown key is an error at that key. */
export function errorsOf({ issues }: z.ZodError): FieldError[] {
  return issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ pointer: pointerTo([...issue.path, key]), detail: UNKNOWN_KEY }))
      : [{ pointer: pointerTo(issue.path), detail: issue.message }],
  );
}

const UNKNOWN_KEY = 'Not known. Correct the name, or remove it.';
