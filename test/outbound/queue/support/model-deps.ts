import type { Mailboxes } from '@sluice/outbound/queue/mailboxes';
import type { SubscriptionDirectory } from '@sluice/outbound/queue/subscription-directory';
import type { Entry } from '@sluice/outbound/queue/turn';
import type { Keyspace } from '@sluice/redis/keyspace';
import type { Redis } from 'ioredis';

/** The parts on which the model of a mailbox (mailbox-model.ts) runs a history. */
export interface ModelDeps {
  readonly redis: Redis;
  readonly keyspace: Keyspace;
  readonly mailboxes: Mailboxes;
  readonly directory: SubscriptionDirectory;
  readonly clock: { now(): Promise<number>; advance(ms: number): Promise<unknown> };
  readonly ordered: boolean;
  /** The entries that wait in MongoDB. */
  readonly inMongo?: () => readonly Entry[];
}
