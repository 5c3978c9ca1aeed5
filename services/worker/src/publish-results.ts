import { type ActionResult, writeResults } from '@sluice/contract/delivery/action-result';
import type { Keyspace } from '@sluice/redis/keyspace';
import type { Redis } from 'ioredis';

/** A result for a sender that waits. */
export interface AddressedResult {
  /** The ingress of the sender, as its job names it. */
  readonly to: string;
  readonly result: ActionResult;
}

/** Publishes results to the ingresses whose senders wait for them. Never throws or rejects. */
export type PublishResults = (results: readonly AddressedResult[]) => void;

export interface PublishResultsDeps {
  readonly redis: Pick<Redis, 'publish' | 'status'>;
  readonly keyspace: Pick<Keyspace, 'results'>;
  readonly onError: (error: unknown) => void;
}

/**
 * Publishes one message for each ingress of a group. Nothing is kept for later: without a message the ingress responds after its
 * wait as if the sender had not asked.
 */
export function createPublishResults({ redis, keyspace, onError }: PublishResultsDeps): PublishResults {
  return (results) => {
    // A command would wait for Redis, longer than any sender.
    if (redis.status !== 'ready') return;
    const byIngress = new Map<string, ActionResult[]>();
    for (const { to, result } of results) {
      if (INGRESS_ID.test(to)) byIngress.set(to, [...(byIngress.get(to) ?? []), result]);
    }
    for (const [to, found] of byIngress) {
      redis.publish(keyspace.results(to), writeResults(found)).catch(onError);
    }
  };
}

/** The form of an ingress id, because a job may contain anything. */
const INGRESS_ID = /^[\w-]{1,64}$/;
