import { setTimeout as sleep } from 'node:timers/promises';
import type { Deed } from '@sluice/accounts/audit/audited';
import { audited } from '@sluice/accounts/audit/audited';
import type { SubscriptionDirectory } from '@sluice/outbound/directory/subscription-directory';
import type { PublishedSubscription } from '@sluice/outbound/queue/published-subscription';
import { subscriptionTarget } from '@sluice/outbound/subscriptions/name-subscription';
import { markFailing, markHealed, removeGone } from '@sluice/outbound/subscriptions/pause-for-receiver';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import type { Store } from '@sluice/store/connect';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import type { RunTurnDeps } from './turns/run-turn.ts';

export interface ReceiverHealthDeps {
  readonly store: Pick<
    Store,
    'subscriptions' | 'sources' | 'apiKeys' | 'auditLog' | 'outboundChanges' | 'webhookCursors'
  >;
  readonly directory: SubscriptionDirectory;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

const FAILING_DETAIL = 'The receiver has accepted no message for days.';

/** Stores what turns learn about receivers: gone, failing for days, or healed. Throws if a store is unavailable. */
export function createReceiverHealth({
  store,
  directory,
  logger,
}: ReceiverHealthDeps): Pick<RunTurnDeps, 'removeGone' | 'onHealth'> {
  const deps = {
    ...store,
    subscriptionDirectory: directory,
    now: Date.now,
    sleep: (ms: number) => sleep(ms),
  };
  const nameOf = ({ account_id, subscription_id }: PublishedSubscription) => ({
    accountId: account_id,
    subscriptionId: subscription_id,
  });
  const auditedAsReceiver = (
    { account_id: accountId, subscription_id, target_url, ephemeral_until }: PublishedSubscription,
    work: () => Promise<Subscription | undefined>,
  ) => {
    const { host } = new URL(target_url);
    const detail = ephemeral_until === null ? 'It answered 410 (Gone).' : 'It answered 404 or 410.';
    const deed = (target: Deed['target']): Deed => ({ action: 'webhook.deleted', target, detail });
    const doer = { actor: { user_id: 'receiver', email: 'the receiver' }, address: host };
    return audited(
      { auditLog: store.auditLog, doer, accountId, at: Date.now() },
      {
        intent: deed({ id: subscription_id, name: host }),
        work,
        deed: (gone) => gone && deed(subscriptionTarget(gone)),
      },
    );
  };
  return {
    async removeGone(subscription) {
      const { account_id, subscription_id, target_url: targetUrl } = subscription;
      const removed = await auditedAsReceiver(subscription, () =>
        removeGone(deps, { ...nameOf(subscription), targetUrl }),
      );
      if (removed === undefined) return;
      const event = { event: 'subscription.gone', account_id, subscription_id };
      logger.info(event, 'the receiver is gone: removed');
    },
    async onHealth(subscription, health) {
      const { account_id, subscription_id } = subscription;
      if (health === 'healed') {
        if (!(await markHealed(deps, nameOf(subscription)))) return;
        const event = { event: 'subscription.healed', account_id, subscription_id };
        logger.info(event, 'the receiver accepts messages again');
        return;
      }
      const isNew = await markFailing(deps, { ...nameOf(subscription), detail: FAILING_DETAIL });
      if (!isNew) return;
      const event = { event: 'subscription.failing', account_id, subscription_id };
      logger.warn(event, 'a receiver has failed for days');
    },
  };
}
