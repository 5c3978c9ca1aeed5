import { type Refusal, refuse } from '../http/result.ts';

interface StreamLimits {
  readonly perSubscription: number;
  readonly perKey: number;
  readonly perProcess: number;
}

/** Each stream uses a connection, and reads Redis several times a second. */
const STREAM_LIMITS: StreamLimits = { perSubscription: 5, perKey: 20, perProcess: 1000 };

/** Reserves a place for a stream, or returns why there is none. Calling `leave` once frees the place. */
export type TakePlace = (who: {
  readonly subscriptionId: string;
  readonly keyId: string;
}) => { readonly leave: () => void } | Refusal;

/** Counts the open streams of this process. */
export function createStreamLimit(limits: StreamLimits = STREAM_LIMITS): TakePlace {
  const bySubscription = new Map<string, number>();
  const byKey = new Map<string, number>();
  let all = 0;
  return ({ subscriptionId, keyId }) => {
    if ((bySubscription.get(subscriptionId) ?? 0) >= limits.perSubscription)
      return refuse('rate_limited', tooMany('This subscription', limits.perSubscription), AGAIN);
    if ((byKey.get(keyId) ?? 0) >= limits.perKey)
      return refuse('rate_limited', tooMany('This API key', limits.perKey), AGAIN);
    if (all >= limits.perProcess)
      return refuse('unavailable', FULL, { ...AGAIN, reason: 'too_many_streams' });
    all += 1;
    count(bySubscription, subscriptionId, 1);
    count(byKey, keyId, 1);
    return {
      leave() {
        all -= 1;
        count(bySubscription, subscriptionId, -1);
        count(byKey, keyId, -1);
      },
    };
  };
}

const AGAIN = { retryAfterSeconds: 10 };
const FULL = 'This API server has reached its limit of open streams. Try again in a minute.';

function tooMany(who: string, count: number): string {
  return `${who} has ${count} streams open, which is the limit. Close one, then try again.`;
}

function count(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const now = (counts.get(key) ?? 0) + by;
  if (now === 0) counts.delete(key);
  else counts.set(key, now);
}
