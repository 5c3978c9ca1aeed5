import * as z from 'zod';
import { objectExpected } from '../text/schema-parts.ts';
import {
  eventName,
  eventNames,
  subscriptionClient,
  subscriptionFilter,
  subscriptionName,
  targetUrl,
} from './subscription-fields.ts';
import { SECRET_OVERLAPS, type SecretOverlap } from './subscription-limits.ts';

export const PAUSE_REASONS = ['by_admin', 'by_client', 'failing', 'key_revoked', 'key_expired'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

const object = <Shape extends z.core.$ZodShape>(shape: Shape, example: string) =>
  z.strictObject(shape, {
    error: (issue) => (issue.code === 'invalid_type' ? objectExpected(issue.input, example) : undefined),
  });

const EXAMPLE = '{"target_url":"https://hooks.example.com/1","events":["lead.created"]}';

/** The names under which clients send the URL. The examples of the platforms use all of them. */
const URL_NAMES = ['target_url', 'url', 'targetUrl', 'hookUrl'] as const;

/** The description of the API names the field only once: a generated Go client has one name for both spellings. */
const alias = { aliasOf: 'target_url' };

/** The body of a create. Its output has one name for each field. */
export const subscriptionInput = object(
  {
    target_url: targetUrl().optional(),
    url: targetUrl().optional().meta(alias),
    targetUrl: targetUrl().optional().meta(alias),
    hookUrl: targetUrl().optional().meta(alias),
    events: eventNames().optional(),
    event: eventName().optional().meta({ aliasOf: 'events' }),
    name: subscriptionName().nullable().optional(),
    active: z.boolean().nullable().optional().meta({ description: 'false: messages wait. Default: true.' }),
    ordered: z.boolean().nullable().optional().meta({
      description: 'true: the messages about one record arrive one after the other. Default: false.',
    }),
    filter: subscriptionFilter().nullable().optional(),
    client: subscriptionClient().nullable().optional(),
  },
  EXAMPLE,
).transform((sent, context) => {
  const named = URL_NAMES.filter((name) => (sent[name] ?? '') !== '');
  const url = named[0] === undefined ? undefined : sent[named[0]];
  const issue = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  if (url === undefined) issue('target_url', 'Required. Example: "https://hooks.example.com/1"');
  if (named.some((name) => sent[name] !== url)) issue(named[1] as string, 'Send one URL.');
  if (sent.events === undefined && sent.event === undefined)
    issue('events', 'Required. Example: ["lead.created"]');
  if (sent.events !== undefined && sent.event !== undefined) issue('event', 'Send either event or events.');
  return {
    target_url: url ?? '',
    /** The name under which the client sent the URL. */
    url_name: named[0] ?? 'target_url',
    events: sent.events ?? [sent.event ?? ''],
    filter: filled(sent.filter ?? {}),
    active: sent.active ?? true,
    ...(sent.name != null && sent.name !== '' && { name: sent.name }),
    ...(sent.ordered != null && { ordered: sent.ordered }),
    ...(sent.client != null && { client: filled(sent.client) }),
  };
});
export type SubscriptionInput = Omit<z.output<typeof subscriptionInput>, 'url_name'>;

/** Without fields that are null or empty. */
function filled<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], null | undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value != null && value !== '');
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], null | undefined> };
}

/** The body of a PATCH: a JSON merge patch (RFC 7396). */
export const subscriptionPatch = object(
  {
    target_url: targetUrl().optional(),
    events: eventNames().optional(),
    name: subscriptionName().nullable().optional(),
    active: z.boolean().optional(),
    ordered: z.boolean().optional(),
    filter: subscriptionFilter().nullable().optional(),
    client: subscriptionClient().nullable().optional(),
  },
  '{"events":["lead.created"]}',
);
export type SubscriptionPatch = z.output<typeof subscriptionPatch>;

/** The body of a rotation. An empty body is a rotation with the default. */
export const secretRotation = object(
  {
    overlap: z
      .enum(Object.keys(SECRET_OVERLAPS) as [SecretOverlap, ...SecretOverlap[]])
      .optional()
      .meta({ description: 'How long the old secret signs too. Default: 24h.' }),
  },
  '{"overlap":"24h"}',
);

const instant = z.string().meta({ format: 'date-time', description: 'ISO 8601, in UTC.' });
const textOrNull = z.string().nullable();

/** A subscription, as the API returns it. Flat, because platforms keep exactly this answer. */
export const subscriptionRecord = z
  .object({
    id: z.string().meta({ description: '`sub_…`' }),
    target_url: z.string(),
    events: z.array(z.string()),
    name: textOrNull,
    status: z.enum(['active', 'paused']),
    reason: z.enum(PAUSE_REASONS).nullable().meta({ description: 'Why it is paused.' }),
    reason_detail: textOrNull.meta({ description: 'What happened, and what to do next.' }),
    paused_at: instant.nullable(),
    ordered: z.boolean(),
    filter: z.object({ source_id: textOrNull, channel_id: textOrNull, stage: textOrNull }),
    client: z
      .object({
        platform: textOrNull,
        workflow_name: textOrNull,
        workflow_url: textOrNull,
        mode: textOrNull,
      })
      .nullable(),
    ephemeral: z.boolean().meta({ description: 'A test in the editor of a platform.' }),
    expiration_date: instant.optional().meta({ description: 'Only of an ephemeral subscription.' }),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ title: 'WebhookSubscription' });
export type SubscriptionRecord = z.output<typeof subscriptionRecord>;

/** The answer to a create or a rotation. */
export const subscriptionWithSecret = subscriptionRecord
  .extend({
    secret: z.string().optional().meta({
      description: 'Signs the messages (Standard Webhooks). Absent in the replay of an earlier answer.',
    }),
  })
  .meta({ title: 'WebhookSubscriptionWithSecret' });
