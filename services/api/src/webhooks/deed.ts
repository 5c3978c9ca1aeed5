import type { Deed } from '@sluice/accounts/audit/audit-entry';
import type { AuditAction } from '@sluice/contract/audit-actions';
import { subscriptionTarget } from '@sluice/outbound/subscriptions/subscription-target';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';

/** The audited change of a subscription. */
export function webhookDeed(action: AuditAction, subscription: Subscription, detail?: string): Deed {
  return { action, target: subscriptionTarget(subscription), ...(detail !== undefined && { detail }) };
}
