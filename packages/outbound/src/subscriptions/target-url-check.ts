import { type AddressRules, createAddressPolicy, createHttpPolicy } from '@sluice/egress/address-policy';
import { checkTargetUrl } from '@sluice/egress/check-url';
import { createResolveFor } from '@sluice/egress/resolve';
import type { SubscriptionDeps, UrlChecked } from './deps.ts';

/** The names of one account that are looked up at once. Beyond it a URL is accepted unseen: each connection checks its address. */
const MOST_LOOKUPS = 8;

/** The check of URLs that messages and replies are sent to. `rules`: see outboundRules. */
export function createCheckTargetUrl(rules: AddressRules): SubscriptionDeps['checkTargetUrl'] {
  const policy = { mayConnect: createAddressPolicy(rules), mayUseHttp: createHttpPolicy(rules) };
  const resolveFor = createResolveFor(MOST_LOOKUPS);
  return async (text, accountId) => {
    const checked = await checkTargetUrl(text, { ...policy, resolve: resolveFor(accountId) });
    return checked.outcome === 'url' ? { outcome: 'url', url: checked.url.href } : checked;
  };
}

/**
 * Checks the reply URL of a channel by the rules of a subscription's URL. A name that cannot be resolved is accepted: the chat platform
 * may get it later, and each connection checks it again.
 */
export async function checkReplyUrl(
  { checkTargetUrl }: Pick<SubscriptionDeps, 'checkTargetUrl'>,
  text: string,
  accountId: string,
): Promise<UrlChecked> {
  const checked = await checkTargetUrl(text, accountId);
  if (checked.outcome === 'url' || checked.code !== 'unknown_host') return checked;
  // The form was checked before the name was looked up.
  return { outcome: 'url', url: new URL(text.trim()).href };
}
