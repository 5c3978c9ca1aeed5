import type { AuditAction } from '@sluice/contract/account/audit-actions';
import { subscriptionTarget } from '@sluice/outbound/subscriptions/name-subscription';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import type { Job } from '../context.ts';
import { accountOfWebhook, noSuchWebhook } from './webhook-access.ts';

/** A change of a webhook subscription by a command. */
export interface WebhookChange<R> {
  readonly action: AuditAction;
  /** Shown in the audit log. */
  readonly detail?: string;
  readonly work: (asked: { readonly accountId: string; readonly subscriptionId: string }) => Promise<R>;
  /** The subscription that was changed, and a better detail if there is one. Undefined: nothing was changed. */
  readonly changed: (
    result: R,
  ) => { readonly subscription: Subscription; readonly detail?: string } | undefined;
}

/** Makes an audited change of a subscription. Throws the error for an unknown one. */
export async function changeWebhook<R>(
  { stack, audited }: Pick<Job<unknown>, 'stack' | 'audited'>,
  subscriptionId: string,
  { action, detail, work, changed: changedBy }: WebhookChange<R>,
): Promise<R> {
  const store = await stack.store();
  const accountId = await accountOfWebhook(store, subscriptionId);
  const before = await store.subscriptions.findSubscription(accountId, subscriptionId);
  if (before === undefined) throw noSuchWebhook(subscriptionId);
  const deed = (subscription: Subscription, more = detail) => ({
    ...{ action, target: subscriptionTarget(subscription) },
    ...(more !== undefined && { detail: more }),
  });
  return audited(accountId, {
    intent: deed(before),
    work: () => work({ accountId, subscriptionId }),
    deed(result) {
      const changed = changedBy(result);
      return changed && deed(changed.subscription, changed.detail);
    },
  });
}
