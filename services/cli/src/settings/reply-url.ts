import { checkReplyUrl, createCheckTargetUrl } from '@sluice/outbound/subscriptions/target-url-check';
import { configuredLimits } from '../configured.ts';
import { refusedUrl } from '../refused-url.ts';

/** The URL in the form that is stored. Throws wrong usage if the dashboard would reject it too. */
export async function checkedReplyUrl(env: NodeJS.ProcessEnv, text: string): Promise<string> {
  const checkTargetUrl = createCheckTargetUrl(configuredLimits(env).OUTBOUND_PRIVATE_NETWORKS);
  const checked = await checkReplyUrl({ checkTargetUrl }, text, 'cli');
  if (checked.outcome === 'refused') throw refusedUrl('--reply-url', checked.detail);
  return checked.url;
}
