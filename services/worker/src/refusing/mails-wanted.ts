import { MINUTE_MS } from '@sluice/contract/time/durations';
import { readReplicas } from '@sluice/monitoring/replicas';
import type { Keyspace } from '@sluice/redis/keyspace';
import type { Redis } from 'ioredis';

export interface MailsWantedDeps {
  readonly redis: Redis;
  readonly keyspace: Keyspace;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

const LOOK_EVERY_MS = MINUTE_MS;

/**
 * Whether an API server mails owners. Workers know it from heartbeats, because they are not given the password of the mail
 * server. Asked once a minute at most.
 */
export function createMailsWanted({ redis, keyspace, now }: MailsWantedDeps): () => Promise<boolean> {
  let known: Promise<boolean> = Promise.resolve(false);
  let lookedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (now() - lookedAt < LOOK_EVERY_MS) return known;
    lookedAt = now();
    known = readReplicas({ redis, keyspace }, now()).then(
      (replicas) => replicas.some(({ mails }) => mails === true),
      () => false,
    );
    return known;
  };
}
