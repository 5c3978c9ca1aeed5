import type { RateLimiter } from '@sluice/admission/rate-limiter';
import type { SubscriptionDeps } from '@sluice/outbound/subscriptions/deps';
import type { OutboundChanges } from '@sluice/store/outbound/outbound-changes';
import type { RefusedSubscriptions } from '@sluice/store/subscriptions/refused-subscriptions';

/** The dependencies of the routes about webhook subscriptions. */
export interface WebhookRouteDeps {
  readonly subscriptionDeps: SubscriptionDeps;
  readonly refusedSubscriptions: RefusedSubscriptions;
  readonly outboundChanges: Pick<OutboundChanges, 'newestChanges'>;
  readonly take: RateLimiter;
}
