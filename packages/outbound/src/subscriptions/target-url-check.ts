import { createAddressPolicy } from '@sluice/egress/address-policy';
import { checkTargetUrl } from '@sluice/egress/check-url';
import { createResolveFor } from '@sluice/egress/resolve';
import type { SubscriptionDeps } from './deps.ts';

/** The names of one account that are looked up at once. Beyond it a URL is accepted unseen: each connection checks its address. */
const MOST_LOOKUPS = 8;

/** The check of URLs that messages and replies are sent to. `allowPrivate`: OUTBOUND_PRIVATE_NETWORKS, which also allows http. */
export function createCheckTargetUrl(allowPrivate: boolean): SubscriptionDeps['checkTargetUrl'] {
  const policy = { mayConnect: createAddressPolicy({ allowPrivate }), allowHttp: allowPrivate };
  const resolveFor = createResolveFor(MOST_LOOKUPS);
  return async (text, accountId) => {
    const checked = await checkTargetUrl(text, { ...policy, resolve: resolveFor(accountId) });
    return checked.outcome === 'url' ? { outcome: 'url', url: checked.url.href } : checked;
  };
}
