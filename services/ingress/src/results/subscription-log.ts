import { refusalIn } from '@sluice/redis/connection/redis-refusal';
import type { Logger } from '@sluice/runtime/telemetry/logger';

/** Logs whether Redis accepts the subscription to results. */
export interface SubscriptionLog {
  refused(error: Error): void;
  accepted(): void;
}

/** One line for each reason. A connection that has gone is no rejection, and has its own line. */
export function createSubscriptionLog(logger: Pick<Logger, 'warn' | 'info'>): SubscriptionLog {
  let refusedFor: string | undefined;
  return {
    refused({ name, message }) {
      if (name !== 'ReplyError' || message === refusedFor) return;
      refusedFor = message;
      logger.warn(
        { event: 'results.refused', reason: message, advice: refusalIn(message)?.advice },
        'Redis rejects the subscription to results: no sender gets the result of its request',
      );
    },
    accepted() {
      if (refusedFor === undefined) return;
      refusedFor = undefined;
      logger.info({ event: 'results.accepted' }, 'Redis accepts the subscription to results again');
    },
  };
}
