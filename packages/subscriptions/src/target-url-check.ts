import { createAddressPolicy } from '@sluice/egress/address-policy';
import { checkTargetUrl } from '@sluice/egress/check-url';
import type { SubscriptionDeps } from './deps.ts';

/** The check of URLs that messages and replies are sent to. `allowPrivate`: OUTBOUND_PRIVATE_NETWORKS, which also allows http. */
export function createCheckTargetUrl(allowPrivate: boolean): SubscriptionDeps['checkTargetUrl'] {
  const policy = { mayConnect: createAddressPolicy({ allowPrivate }), allowHttp: allowPrivate };
  return async (text) => {
    const checked = await checkTargetUrl(text, policy);
    return checked.outcome === 'url' ? { outcome: 'url', url: checked.url.href } : checked;
  };
}
