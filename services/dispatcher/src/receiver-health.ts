import { setTimeout as sleep } from 'node:timers/promises';
import type { Deed } from '@sluice/accounts/audit/audited';
import { audited } from '@sluice/accounts/audit/audited';
import type { SubscriptionDirectory } from '@sluice/outbound/directory/subscription-directory';
import { subscriptionTarget } from '@sluice/outbound/subscriptions/audited-change';
import { markFailing, markHealed, removeGone } from '@sluice/outbound/subscriptions/pause-for-receiver';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import type { Store } from '@sluice/store/connect';
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
  return {
    async removeGone({ account_id, subscription_id, target_url: targetUrl, ephemeral_until }) {
      const { host } = new URL(targetUrl);
      const detail = ephemeral_until === null ? 'It answered 410 (Gone).' : 'It answered 404 or 410.';
      const deed = (target: Deed['target']): Deed => ({ action: 'webhook.deleted', target, detail });
      const doer = { actor: { user_id: 'receiver', email: 'the receiver' }, address: host };
      const ids = { accountId: account_id, subscriptionId: subscription_id };
      const removed = await audited(
        { auditLog: store.auditLog, doer, accountId: account_id, at: Date.now() },
        {
          intent: deed({ id: subscription_id, name: host }),
          work: () => removeGone(deps, { ...ids, targetUrl }),
          deed: (gone) => gone && deed(subscriptionTarget(gone)),
        },
      );
      if (removed === undefined) return;
      const event = { event: 'subscription.gone', account_id, subscription_id };
      logger.info(event, 'the receiver is gone: removed');
    },
    async onHealth({ account_id, subscription_id }, health) {
      const ids = { accountId: account_id, subscriptionId: subscription_id };
      if (health === 'healed') {
        if (!(await markHealed(deps, ids))) return;
        const event = { event: 'subscription.healed', account_id, subscription_id };
        logger.info(event, 'the receiver accepts messages again');
        return;
      }
      if (!(await markFailing(deps, { ...ids, detail: FAILING_DETAIL }))) return;
      const event = { event: 'subscription.failing', account_id, subscription_id };
      logger.warn(event, 'a receiver has failed for days');
    },
  };
}
