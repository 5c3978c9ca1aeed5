import { isStreamUrl } from '@sluice/contract/webhook-stream';
import type { Subscription } from '@sluice/store/subscription-document';

/** A subscription in the audit log. The path of a URL may be a secret, so the entry names only the host. */
export function subscriptionTarget({ subscription_id: id, target_url, name }: Subscription): {
  readonly id: string;
  readonly name: string;
} {
  if (isStreamUrl(target_url)) return { id, name: name ?? 'sluice listen' };
  const { host } = new URL(target_url);
  return { id, name: name === null ? host : `${host} (${name})` };
}
