import type { SubscriptionDeps, UrlChecked } from './deps.ts';

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
