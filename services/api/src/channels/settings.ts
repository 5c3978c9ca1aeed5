import { readTargetUrl } from '@sluice/egress/check-url';
import type { ChannelSettings, SourceSettings } from '@sluice/store/source';
import type { SubscriptionDeps } from '@sluice/subscriptions/deps';
import { refuseFields } from '../http/refuse-fields.ts';
import type { Refusal } from '../http/result.ts';

/** Settings as sent: what is undefined stays unchanged. */
export type SentSettings = {
  readonly [Name in keyof (SourceSettings & ChannelSettings)]?:
    | (SourceSettings & ChannelSettings)[Name]
    | undefined;
};

export type ReadSettings =
  | { readonly outcome: 'read'; readonly settings: SourceSettings & ChannelSettings }
  | Refusal;

/**
 * Checks the reply URL by the rules of a subscription's URL, and leaves out what was not sent. A name that cannot be resolved is accepted:
 * the chat platform may get it later, and each connection checks it again.
 */
export async function readSettings(
  sent: SentSettings,
  { checkTargetUrl, allowHttp }: Pick<SubscriptionDeps, 'checkTargetUrl'> & { readonly allowHttp: boolean },
): Promise<ReadSettings> {
  const settings: SourceSettings & ChannelSettings = Object.fromEntries(
    Object.entries(sent).filter(([, value]) => value !== undefined),
  );
  if (typeof settings.reply_url !== 'string') return { outcome: 'read', settings };
  const checked = readTargetUrl(settings.reply_url, { allowHttp });
  if (checked.outcome === 'refused') return refuseFields([{ pointer: '/reply_url', detail: checked.detail }]);
  const found = await checkTargetUrl(checked.url.href);
  if (found.outcome === 'refused' && found.code !== 'unknown_host')
    return refuseFields([{ pointer: '/reply_url', detail: found.detail }]);
  return { outcome: 'read', settings: { ...settings, reply_url: checked.url.href } };
}
