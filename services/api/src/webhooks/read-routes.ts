import { EVENT_KINDS } from '@sluice/contract/event-kinds';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { findReached } from '@sluice/outbound/subscriptions/find-reached';
import { isPresent } from '@sluice/outbound/subscriptions/life';
import type { RefusedSubscriptions } from '@sluice/store/subscriptions/refused-subscriptions';
import type { Binder } from '../http/bind.ts';
import { done } from '../http/result.ts';
import { type DescribeDeps, describeRefused, describeWebhook, describeWebhooks } from './describe-webhook.ts';
import { NO_WEBHOOK } from './no-webhook.ts';

export interface WebhookReadDeps extends DescribeDeps {
  readonly refusedSubscriptions: Pick<RefusedSubscriptions, 'listRefused'>;
  readonly now: () => number;
}

/** The routes by which admins read webhook subscriptions: all of the account, one, and the kinds of messages. */
export function webhookReadRoutes({ guarded }: Binder, deps: WebhookReadDeps): void {
  const { subscriptionDeps, now } = deps;
  const routes = ROUTES.webhooks;

  guarded(routes.list, {}, async ({ who: { accountId } }) => {
    const own = await subscriptionDeps.subscriptions.listSubscriptions(accountId);
    const present = own.filter((one) => isPresent(one, now())).toReversed();
    const [items, refused] = await Promise.all([
      describeWebhooks(deps, accountId, present),
      deps.refusedSubscriptions.listRefused(accountId),
    ]);
    const limit = subscriptionDeps.subscriptionLimit;
    return done({ items, refused: await describeRefused(deps, refused), limit });
  });

  // Must come before the route of one subscription, or `kinds` would match as its id.
  guarded(routes.kinds, {}, async () => {
    const offered = EVENT_KINDS.filter(({ subscribable }) => subscribable);
    return done({ items: offered.map(({ kind, name, sentence }) => ({ kind, name, sentence })) });
  });

  guarded(routes.show, {}, async ({ who: { accountId }, params }) => {
    const subscriptionId = params.webhookId as string;
    const found = await findReached(subscriptionDeps, { accountId, subscriptionId });
    return found === undefined ? NO_WEBHOOK : done(await describeWebhook(deps, found));
  });
}
