import { DAY_MS } from '@sluice/contract/time/durations';
import type { RecentAttempt } from '@sluice/store/outbound/webhook-messages';
import type { WaitingStatus } from '../log/waiting.ts';
import type { SubscriptionDeps } from './deps.ts';

/** How a receiver does. Times are milliseconds since the Unix epoch. */
export interface SubscriptionHealth {
  /** Messages that are neither delivered nor finally failed. */
  readonly waiting: number;
  /** How many of them a dispatcher attempts now. */
  readonly attempting: number;
  /**
   * The earliest time of the next attempt. A past time means that a message is due and waits for its turn. null: nothing waits, it is
   * paused, or an attempt is running.
   */
  readonly next_attempt_at: number | null;
  /** Messages wait, and the receiver has accepted none since this time. null: nothing waits, or its latest attempt was accepted. */
  readonly retrying_since: number | null;
  /** Successful attempts, of those of the last 24 hours. Resends do not count. null: there were none. */
  readonly success_ratio: number | null;
  /** The 95th percentile of the duration of these attempts. Milliseconds. */
  readonly p95_ms: number | null;
  readonly last_attempt_at: number | null;
  /** Failed attempts of the last 24 hours. */
  readonly failed: number;
  /** The outcome of the latest of them, as a sentence. null: there was none. */
  readonly last_failure: string | null;
}

/**
 * Reads the health of subscriptions of an account, of each by its id. It looks at the newest RECENT_MESSAGES of each (store/outbound/webhook-messages.ts).
 * Throws if MongoDB or Redis fails.
 */
export async function readHealth(
  { webhookMessages, outbox, now }: Pick<SubscriptionDeps, 'webhookMessages' | 'outbox' | 'now'>,
  accountId: string,
  subscriptionIds: readonly string[],
): Promise<ReadonlyMap<string, SubscriptionHealth>> {
  if (subscriptionIds.length === 0) return new Map();
  const since = now() - DAY_MS;
  const [statuses, attempts] = await Promise.all([
    outbox.status(accountId, subscriptionIds),
    Promise.all(subscriptionIds.map((id) => webhookMessages.recentAttempts(id))),
  ]);
  const statusOf = new Map(statuses.map((status) => [status.subscriptionId, status]));
  return new Map(
    subscriptionIds.map((id, index) => {
      const status = statusOf.get(id);
      return [id, { ...waitsOf(status), ...measured(attempts[index] ?? [], since) }];
    }),
  );
}

type Waits = Pick<SubscriptionHealth, 'waiting' | 'attempting' | 'next_attempt_at' | 'retrying_since'>;

function waitsOf(status: WaitingStatus | undefined): Waits {
  return {
    waiting: status?.waiting ?? 0,
    attempting: status?.attempting ?? 0,
    next_attempt_at: status?.nextDueAt ?? null,
    retrying_since: status === undefined ? null : retryingSince(status),
  };
}

/** Since when a receiver has accepted nothing of what waits. Only dispatchers write its state, so this costs no write. */
export function retryingSince({ waiting, state }: Pick<WaitingStatus, 'waiting' | 'state'>): number | null {
  return waiting === 0 ? null : state.firstFailureAt;
}

/** Pure. */
function measured(attempts: readonly RecentAttempt[], since: number): Omit<SubscriptionHealth, keyof Waits> {
  const last = attempts.length === 0 ? null : Math.max(...attempts.map(({ at }) => at));
  // A resend that someone asked for does not count, whatever the receiver answered.
  const recent = attempts.filter(({ at, redelivery }) => at >= since && !redelivery);
  if (recent.length === 0)
    return { success_ratio: null, p95_ms: null, last_attempt_at: last, failed: 0, last_failure: null };
  const durations = recent.map(({ duration_ms }) => duration_ms).sort((a, b) => a - b);
  const failures = recent.filter(({ code }) => code !== 'delivered').sort((a, b) => b.at - a.at);
  return {
    success_ratio: (recent.length - failures.length) / recent.length,
    p95_ms: durations[Math.ceil(durations.length * 0.95) - 1] ?? null,
    last_attempt_at: last,
    failed: failures.length,
    last_failure: failures[0]?.sentence ?? null,
  };
}
