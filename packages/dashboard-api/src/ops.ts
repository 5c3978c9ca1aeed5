import * as z from 'zod';
import { instantText } from './common.ts';
import { REPLICA_KINDS } from './replica-kinds.ts';

/** One process, as it last reported itself. */
export const replica = z.object({
  replica_id: z.string(),
  kind: z.enum(REPLICA_KINDS),
  host: z.string(),
  pid: z.number(),
  ready: z.boolean(),
  /** Why it is not ready; null if it is. */
  trouble: z.string().nullable(),
  started_at: instantText,
  /** Reported every 2 s. After 10 s without a report it counts as gone; after a minute it is removed. */
  last_seen_at: instantText,
  gone: z.boolean(),
});
export type Replica = z.infer<typeof replica>;

export const queueState = z.object({
  name: z.enum(['actions', 'refusals']),
  waiting: z.number(),
  active: z.number(),
  /** Delayed until a newer worker is available. */
  delayed: z.number(),
  oldest_waiting_ms: z.number().nullable(),
});

/** Webhook subscriptions with something due that no dispatcher has taken yet. */
export const subscriptionsDue = z.object({
  due: z.number(),
  /** How long the first of them has waited. null: none waits. */
  oldest_due_ms: z.number().nullable(),
});
export type SubscriptionsDue = z.infer<typeof subscriptionsDue>;

export const ops = z.object({
  replicas: z.array(replica),
  queues: z.array(queueState),
  /** Over all accounts, so only operators get it. */
  subscriptions: subscriptionsDue.optional(),
  /** No dispatcher reports, and messages are overdue. Every owner gets it; the Overview says the same. */
  undispatched: z.boolean(),
  dead_letters: z.number(),
  /** True: not all letters of the installation were scanned, so the account may have more. */
  dead_letters_partial: z.boolean(),
  redis: z.object({ used_bytes: z.number(), max_bytes: z.number().nullable() }),
});
export type Ops = z.infer<typeof ops>;

/** An action of the current account that cannot be applied. */
export const deadLetter = z.object({
  delivery_id: z.string(),
  source_id: z.string().nullable(),
  failed_at: instantText,
  reason: z.string(),
  action: z.string().nullable(),
  title: z.string().nullable(),
});
export type DeadLetter = z.infer<typeof deadLetter>;

/** Oldest first, at most 200. `partial`: not all letters of the installation were scanned; some may be missing. */
export const deadLetterList = z.object({ items: z.array(deadLetter), partial: z.boolean() });
export type DeadLetterList = z.infer<typeof deadLetterList>;

/** Users who may see data across accounts. Only `sluice operator` grants and revokes this; no route does. */
export const operatorList = z.object({
  items: z.array(
    z.object({
      user_id: z.string(),
      email: z.string(),
      name: z.string(),
      /** True for the user who makes the request. */
      self: z.boolean(),
    }),
  ),
});
export type OperatorList = z.infer<typeof operatorList>;
