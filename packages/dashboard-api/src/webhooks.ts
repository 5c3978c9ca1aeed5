import {
  subscriptionInput,
  subscriptionPatch,
  subscriptionRecord,
} from '@sluice/contract/subscription/subscription';
import { SECRET_OVERLAPS, type SecretOverlap } from '@sluice/contract/subscription/subscription-limits';
import {
  recoverInput,
  recoverResult,
  testInput,
  testResult,
} from '@sluice/contract/subscription/webhook-again';
import {
  MESSAGE_STATUSES,
  webhookDelivery,
  type webhookRedelivery,
} from '@sluice/contract/subscription/webhook-delivery';
import * as z from 'zod';
import { instantText } from './common.ts';

/** How the receiver does. Rates and times are of the last 24 hours. */
export const webhookHealth = z.object({
  /** Counted up to WAITING_COUNTED. */
  waiting: z.number(),
  /** More than 0: some of them are attempted now. */
  attempting: z.number(),
  /** The earliest time of the next attempt. A past time means that a message is due and waits for its turn. */
  next_attempt_at: instantText.nullable(),
  /** Messages wait, and the receiver has accepted none since this time. */
  retrying_since: instantText.nullable(),
  /** From 0 to 1. null: there was no attempt. */
  success_ratio: z.number().nullable(),
  /** 95 % of the attempts took at most this long. Milliseconds. */
  p95_ms: z.number().nullable(),
  last_attempt_at: instantText.nullable(),
  /** Failed attempts. */
  failed: z.number(),
  /** The outcome of the latest failed attempt, as a sentence. */
  last_failure: z.string().nullable(),
});
export type WebhookHealth = z.infer<typeof webhookHealth>;

/** A webhook subscription of the account, made by a key or by an admin. */
export const webhookItem = subscriptionRecord.extend({
  /** The key that it belongs to. null: the account's own. */
  key: z.object({ id: z.string(), name: z.string() }).nullable(),
  health: webhookHealth,
});
export type WebhookItem = z.infer<typeof webhookItem>;

/** A create that was rejected, because platforms often do not show why. */
export const refusedWebhook = z.object({
  refused_id: z.string(),
  key: z.object({ id: z.string(), name: z.string() }),
  target_url: z.string().nullable(),
  code: z.string(),
  detail: z.string(),
  /** The User-Agent of the last request. */
  client: z.string().nullable(),
  count: z.number(),
  last_at: instantText,
});
export type RefusedWebhook = z.infer<typeof refusedWebhook>;

export const webhookList = z.object({
  /** Newest first. Tests in the editors of platforms are among them. */
  items: z.array(webhookItem),
  refused: z.array(refusedWebhook),
  /** How many the account may have. */
  limit: z.number(),
});
export type WebhookList = z.infer<typeof webhookList>;

/** The kinds of events that a subscription can name. */
export const webhookKinds = z.object({
  items: z.array(z.object({ kind: z.string(), name: z.string(), sentence: z.string() })),
});
export type WebhookKinds = z.infer<typeof webhookKinds>;

export const newWebhook = subscriptionInput;
export type NewWebhook = z.input<typeof newWebhook>;

export const webhookChange = subscriptionPatch;
export type WebhookChange = z.input<typeof webhookChange>;

/** The secret is shown once. */
export const webhookWithSecret = z.object({ webhook: webhookItem, secret: z.string() });
export type WebhookWithSecret = z.infer<typeof webhookWithSecret>;

export const webhookRotation = z.object({
  overlap: z.enum(Object.keys(SECRET_OVERLAPS) as [SecretOverlap, ...SecretOverlap[]]),
});
export type WebhookRotation = z.input<typeof webhookRotation>;

export const messageQuery = z.object({
  status: z.enum(MESSAGE_STATUSES).optional(),
  /** `next_cursor` of the previous page. */
  cursor: z.string().max(200).optional(),
});
export type MessageQuery = z.input<typeof messageQuery>;

export const messagePage = z.object({
  items: z.array(webhookDelivery),
  next_cursor: z.string().nullable(),
});
export type MessagePage = z.infer<typeof messagePage>;
export type WebhookMessageItem = z.infer<typeof webhookDelivery>;
/** How many messages were discarded. */
export const webhookDiscarded = z.object({ messages: z.number() });
export type WebhookDiscarded = z.infer<typeof webhookDiscarded>;
export type WebhookRedelivered = z.infer<typeof webhookRedelivery>;

/** A made-up message, sent now. */
export const webhookTest = testInput;
export type WebhookTest = z.input<typeof webhookTest>;
export const webhookTested = testResult;
export type WebhookTested = z.infer<typeof webhookTested>;

/** Asks to send again all messages since then that were not delivered. */
export const webhookRecovery = recoverInput;
export type WebhookRecovery = z.input<typeof webhookRecovery>;
export const webhookRecovered = recoverResult;
export type WebhookRecovered = z.infer<typeof webhookRecovered>;
