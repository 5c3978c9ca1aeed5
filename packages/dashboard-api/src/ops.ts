import * as z from 'zod';
import { instantText } from './common.ts';

export const REPLICA_KINDS = ['ingress', 'worker', 'api'] as const;
export type ReplicaKind = (typeof REPLICA_KINDS)[number];

/** One running process, as it last said of itself. */
export const replica = z.object({
  replica_id: z.string(),
  kind: z.enum(REPLICA_KINDS),
  host: z.string(),
  pid: z.number(),
  ready: z.boolean(),
  /** What is wrong, where it is not ready. */
  trouble: z.string().nullable(),
  started_at: instantText,
  /** Said every 2 seconds. One that is silent for 10 is shown as gone, and forgotten after a minute. */
  last_seen_at: instantText,
  gone: z.boolean(),
});
export type Replica = z.infer<typeof replica>;

export const queueState = z.object({
  name: z.enum(['actions', 'refusals']),
  waiting: z.number(),
  active: z.number(),
  /** Put off for a newer worker. */
  delayed: z.number(),
  oldest_waiting_ms: z.number().nullable(),
});

export const ops = z.object({
  replicas: z.array(replica),
  queues: z.array(queueState),
  dead_letters: z.number(),
  redis: z.object({ used_bytes: z.number(), max_bytes: z.number().nullable() }),
});
export type Ops = z.infer<typeof ops>;

/** An action of the current account that can never be applied as it is. */
export const deadLetter = z.object({
  delivery_id: z.string(),
  source_id: z.string().nullable(),
  failed_at: instantText,
  reason: z.string(),
  action: z.string().nullable(),
  title: z.string().nullable(),
});
export type DeadLetter = z.infer<typeof deadLetter>;

/** The oldest first, at most 200. `partial`: the installation has more than were looked through, so that some may be missing. */
export const deadLetterList = z.object({ items: z.array(deadLetter), partial: z.boolean() });
export type DeadLetterList = z.infer<typeof deadLetterList>;

/** Who sees what belongs to no single account. `sluice operator` makes and unmakes them; no route does. */
export const operatorList = z.object({
  items: z.array(
    z.object({
      user_id: z.string(),
      email: z.string(),
      name: z.string(),
      /** The one who asks. */
      self: z.boolean(),
    }),
  ),
});
export type OperatorList = z.infer<typeof operatorList>;
