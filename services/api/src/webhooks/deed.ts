import type { AuditAction } from '@sluice/contract/audit-actions';
import type { Deed } from '@sluice/management/audit-entry';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { subscriptionTarget } from '@sluice/subscriptions/subscription-target';

/** The audited change of a subscription. */
export function webhookDeed(action: AuditAction, subscription: Subscription, detail?: string): Deed {
  return { action, target: subscriptionTarget(subscription), ...(detail !== undefined && { detail }) };
}
