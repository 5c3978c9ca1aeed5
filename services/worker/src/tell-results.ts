import type { AdmittedAction, AnyAction } from '@sluice/contract/groups';
import { type ToldResult, writeResults } from '@sluice/contract/told-result';
import type { Keyspace } from '@sluice/redis/keyspace';
import type { Redis } from 'ioredis';

/** A logged action with its result. */
export interface TellableResult {
  readonly action: Pick<AdmittedAction<AnyAction>, 'results_to' | 'duplicate_of'>;
  readonly result: ToldResult;
}

/** Tells ingresses the results that their senders wait for. Never throws or rejects. */
export type TellResults = (results: readonly TellableResult[]) => void;

export interface TellResultsDeps {
  readonly redis: Pick<Redis, 'publish' | 'status'>;
  readonly keyspace: Pick<Keyspace, 'results' | 'duplicates'>;
  readonly onError: (error: unknown) => void;
}

/**
 * Publishes one message for each channel of a group. Nothing is kept for later: without a message the ingress responds after its
 * wait as if the sender had not asked.
 */
export function createTellResults({ redis, keyspace, onError }: TellResultsDeps): TellResults {
  return (results) => {
    // A command would wait for Redis, longer than any sender.
    if (redis.status !== 'ready') return;
    const byChannel = new Map<string, ToldResult[]>();
    for (const { action, result } of results) {
      const channel = channelOf(keyspace, action);
      if (channel !== undefined) byChannel.set(channel, [...(byChannel.get(channel) ?? []), result]);
    }
    for (const [channel, told] of byChannel) redis.publish(channel, writeResults(told)).catch(onError);
  };
}

/** The form of an ingress id, because a job may contain anything. */
const INGRESS_ID = /^[\w-]{1,64}$/;

/** Undefined if nobody waits. An ingress cannot know before its admission that a request is a duplicate, so all of them listen. */
function channelOf(
  keyspace: TellResultsDeps['keyspace'],
  { results_to, duplicate_of }: TellableResult['action'],
): string | undefined {
  if (typeof results_to === 'string' && INGRESS_ID.test(results_to)) return keyspace.results(results_to);
  return duplicate_of === null ? undefined : keyspace.duplicates;
}
