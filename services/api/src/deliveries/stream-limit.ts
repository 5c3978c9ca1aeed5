import { type Refusal, refuse } from '../http/result.ts';

export interface StreamLimits {
  readonly perSession: number;
  readonly perUser: number;
  readonly perProcess: number;
}

/** Each stream uses a connection, and costs work for every row of its account. */
export const STREAM_LIMITS: StreamLimits = { perSession: 5, perUser: 20, perProcess: 1000 };

/** Reserves a place for a stream, or returns why there is none. Calling `leave` frees the place. */
export type TakePlace = (who: {
  readonly sessionId: string;
  readonly userId: string;
}) => { readonly leave: () => void } | Refusal;

/** Counts the open live streams of this process. */
export function createStreamLimit(limits: StreamLimits = STREAM_LIMITS): TakePlace {
  const bySession = new Map<string, number>();
  const byUser = new Map<string, number>();
  let all = 0;
  return ({ sessionId, userId }) => {
    if ((bySession.get(sessionId) ?? 0) >= limits.perSession)
      return refuse('rate_limited', tooMany('This session', limits.perSession), AGAIN);
    if ((byUser.get(userId) ?? 0) >= limits.perUser)
      return refuse('rate_limited', tooMany('This user', limits.perUser), AGAIN);
    if (all >= limits.perProcess)
      return refuse('unavailable', FULL, { ...AGAIN, reason: 'too_many_streams' });
    all += 1;
    count(bySession, sessionId, 1);
    count(byUser, userId, 1);
    let left = false;
    return {
      leave() {
        if (left) return;
        left = true;
        all -= 1;
        count(bySession, sessionId, -1);
        count(byUser, userId, -1);
      },
    };
  };
}

const AGAIN = { retryAfterSeconds: 10 };
const FULL = 'This API server has reached its limit of live streams. Try again in a minute.';

function tooMany(who: string, count: number): string {
  return `${who} has ${count} live streams open, which is the limit. Close a page of Recent Deliveries, then try again.`;
}

function count(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const now = (counts.get(key) ?? 0) + by;
  if (now === 0) counts.delete(key);
  else counts.set(key, now);
}
