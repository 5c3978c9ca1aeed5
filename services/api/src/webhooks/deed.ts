import type { AuditAction } from '@sluice/contract/audit-actions';
import type { Deed } from '@sluice/management/audit-entry';
import type { Subscription } from '@sluice/store/subscription-document';

/** The audited change of a subscription. The path of a URL may be a secret, so the entry names only the host. */
export function webhookDeed(action: AuditAction, subscription: Subscription, detail?: string): Deed {
  const { subscription_id: id, target_url, name } = subscription;
  const host = new URL(target_url).host;
  return {
    action,
    target: { id, name: name === null ? host : `${host} (${name})` },
    ...(detail !== undefined && { detail }),
  };
}
