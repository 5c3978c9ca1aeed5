import { UnconfirmedChangeError } from '@sluice/accounts/audit/unconfirmed-change';
import type { UnavailableReason } from '@sluice/contract/problem/action-refused';
import { PendingLimitError } from '@sluice/leads/change/pending-limit';
import { ContendedError } from '@sluice/leads/contention';
import { isRedisAway, isRedisFull, isRedisUnable } from '@sluice/redis/connection/redis-away';
import { isMongoAway } from '@sluice/store/connection/mongo-away';
import { type Refusal, refuse } from './result.ts';

/** Too many hashes wait. Nothing was checked. */
export class HashesWaitingError extends Error {
  override readonly name = 'HashesWaitingError';
}

const REDIS_AWAY = unavailable('Redis', 'is not responding', 'redis_away');
const REDIS_UNABLE = unavailable('Redis', 'cannot execute this now', 'redis_unable');
const MONGO_AWAY = unavailable('MongoDB', 'is not responding', 'mongodb_away');
const REDIS_FULL = refuse(
  'unavailable',
  'Redis is full. Try again later. If it persists, ask the operator to give Redis more memory.',
  {
    retryAfterSeconds: 10,
    reason: 'redis_full',
  },
);
const INTERNAL = refuse(
  'internal_error',
  'An internal error occurred. Try again. If it happens again, report the request id.',
);

function unavailable(store: string, state: string, reason: UnavailableReason): Refusal {
  const detail = `${store} ${state}. Try again in a few seconds. If it persists, ask the operator to check ${store}.`;
  return refuse('unavailable', detail, { retryAfterSeconds: 2, reason });
}

/** The response to an error that no route has handled. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof UnconfirmedChangeError)
    return refuse(
      'unavailable',
      'The change may or may not have taken effect. Check the current state, and repeat the change if needed.',
      { retryAfterSeconds: 15, reason: 'change_unconfirmed' },
    );
  if (error instanceof ContendedError)
    return refuse('unavailable', 'Too many requests change this lead at once. Try again in a few seconds.', {
      retryAfterSeconds: 2,
      reason: 'lead_contended',
    });
  if (error instanceof PendingLimitError)
    return refuse(
      'unavailable',
      'Webhook subscriptions have not got the last changes of this lead yet. Try again in a few seconds. If it persists, ask the operator to check Redis.',
      { retryAfterSeconds: 10, reason: 'changes_pending' },
    );
  if (error instanceof HashesWaitingError)
    return refuse('rate_limited', 'Too many people sign in at once. Try again in 5 seconds.', {
      retryAfterSeconds: 5,
    });
  if (isMongoAway(error)) return MONGO_AWAY;
  if (isRedisUnable(error)) return REDIS_UNABLE;
  if (isRedisAway(error)) return REDIS_AWAY;
  if (isRedisFull(error)) return REDIS_FULL;
  // Express's router throws this for a path whose percent-encoding is wrong.
  if (error instanceof URIError || (error as { status?: unknown } | null)?.status === 400)
    return refuse('bad_request', 'The URL of the request cannot be read. Check its percent-encoding.');
  return INTERNAL;
}
