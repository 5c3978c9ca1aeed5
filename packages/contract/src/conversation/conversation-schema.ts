import * as z from 'zod';
import { asRecord } from '../problem/parsed.ts';
import {
  codePointsFit,
  instant,
  kindOf,
  longerThan,
  objectExpected,
  oneOf,
  text,
} from '../text/schema-parts.ts';
import {
  CONVERSATION_MAX,
  type ConversationSession,
  MESSAGE_AUTHORS,
  type SessionValue,
} from './conversation.ts';
import { CONVERSATION_ACTION_KINDS } from './conversation-action.ts';

/**
 * The body of a channel's request, with the messages for the sender. Unknown fields are ignored, as in events. In an optional
 * field, null and an empty text count as absent, because chat platforms send both for what they do not know.
 */

const MAX = CONVERSATION_MAX;

const EXAMPLES = {
  id: '"c-1042"',
  message_id: '"m-7"',
  subject: '"Question about the open day"',
  language: '"en"',
  name: '"Ada Lovelace"',
  email: '"ada@example.com"',
  phone: '"+49 30 123456"',
  text: '"Hello"',
  datetime: '"2026-12-01T18:00:00+01:00"',
} as const;

/** The index signature of `preprocess` is `unknown`, so the input type of the schema is that of the inner one. */
function optional<T extends z.ZodType>(schema: T) {
  return z
    .preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional())
    .optional();
}

const required = (max: number, example: string) =>
  text(max, example).refine((value) => value !== '', `Empty. Example: ${example}`);

const contact = z.object(
  {
    name: optional(text(MAX.name, EXAMPLES.name)),
    email: optional(text(MAX.email, EXAMPLES.email)),
    phone: optional(text(MAX.phone, EXAMPLES.phone)),
  },
  { error: ({ input }) => objectExpected(input, '{"name":"Ada Lovelace","email":"ada@example.com"}') },
);

/** Read by hand, because a record of zod leaves out the key `__proto__`. */
const session = z
  .custom<Record<string, SessionValue>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    { error: ({ input }) => objectExpected(input, '{"page":"/pricing","visits":3}') },
  )
  .transform((value, context): ConversationSession => {
    const entries = Object.entries(value as Record<string, unknown>);
    if (entries.length > MAX.session_values)
      context.addIssue({ code: 'custom', message: `More than ${MAX.session_values} values. Send fewer.` });
    else
      for (const [key, one] of entries) {
        const fault = faultOfKey(key) ?? faultOfValue(one);
        if (fault !== null) context.addIssue({ code: 'custom', message: fault, path: [key] });
      }
    return entries as [string, SessionValue][];
  });

function faultOfKey(key: string): string | null {
  if (key === '' || !key.isWellFormed()) return 'The name of the value is empty or not well-formed Unicode.';
  return codePointsFit(key, MAX.session_key)
    ? null
    : `The name is ${longerThan(MAX.session_key).toLowerCase()}`;
}

function faultOfValue(value: unknown): string | null {
  if (value === null || typeof value === 'boolean') return null;
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'The number is too large.';
  if (typeof value !== 'string') return `Must be a text, number, boolean or null, not ${kindOf(value)}.`;
  if (!value.isWellFormed()) return 'Contains half of a surrogate pair. Send well-formed Unicode.';
  return codePointsFit(value, MAX.session_text) ? null : longerThan(MAX.session_text);
}

const conversation = z.object(
  {
    external_id: required(MAX.external_id, EXAMPLES.id),
    subject: optional(text(MAX.subject, EXAMPLES.subject)),
    language: optional(text(MAX.language, EXAMPLES.language)),
    contact: optional(contact),
    session: optional(session),
  },
  { error: ({ input }) => objectExpected(input, '{"external_id":"c-1042"}') },
);

/** The attachments that a placeholder names. */
const MOST_NAMED = 20;

/** A message without text, such as a picture, gets its attachments as text: `[image] https://example.org/a.png`. */
function withText(value: unknown): unknown {
  const { text: sent, attachments } = asRecord(value);
  if ((sent !== undefined && sent !== null && sent !== '') || !Array.isArray(attachments)) return value;
  const lines = attachments.slice(0, MOST_NAMED).map((one) => {
    const { type, url } = asRecord(one);
    return [`[${typeof type === 'string' ? type : 'attachment'}]`, ...(typeof url === 'string' ? [url] : [])];
  });
  const named = lines.map((line) => line.join(' ')).join('\n');
  return { ...asRecord(value), text: named.toWellFormed().slice(0, MAX.text).toWellFormed() };
}

const message = z.object(
  {
    external_id: required(MAX.external_id, EXAMPLES.message_id),
    author: oneOf(MESSAGE_AUTHORS),
    author_name: optional(text(MAX.name, EXAMPLES.name)),
    text: required(MAX.text, EXAMPLES.text),
    sent_at: optional(instant(EXAMPLES.datetime)),
  },
  {
    error: ({ input }) => objectExpected(input, '{"external_id":"m-7","author":"visitor","text":"Hello"}'),
  },
);

const agent = z.object(
  { name: optional(text(MAX.name, EXAMPLES.name)) },
  { error: ({ input }) => objectExpected(input, '{"name":"Ada Lovelace"}') },
);

export const channelRequestSchema = z
  .object(
    {
      action: oneOf(CONVERSATION_ACTION_KINDS),
      conversation,
      message: optional(z.preprocess(withText, message)),
      agent: optional(agent),
    },
    {
      error: ({ input }) => objectExpected(input, '{"action":"message","conversation":{…},"message":{…}}'),
    },
  )
  .refine((request) => request.action !== 'message' || request.message !== undefined, {
    path: ['message'],
    message:
      'Required for the action message. Example: {"external_id":"m-7","author":"visitor","text":"Hello"}',
  });

export type ChannelRequest = z.output<typeof channelRequestSchema>;
