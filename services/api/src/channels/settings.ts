import { checkReplyUrl } from '@sluice/outbound/subscriptions/check-reply-url';
import type { SubscriptionDeps } from '@sluice/outbound/subscriptions/deps';
import type { ChannelSettings, SourceSettings } from '@sluice/store/sources/source';
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

/** Checks the reply URL, and leaves out what was not sent. */
export async function readSettings(
  sent: SentSettings,
  deps: Pick<SubscriptionDeps, 'checkTargetUrl'>,
  accountId: string,
): Promise<ReadSettings> {
  const settings: SourceSettings & ChannelSettings = Object.fromEntries(
    Object.entries(sent).filter(([, value]) => value !== undefined),
  );
  if (typeof settings.reply_url !== 'string') return { outcome: 'read', settings };
  const checked = await checkReplyUrl(deps, settings.reply_url, accountId);
  if (checked.outcome === 'refused') return refuseFields([{ pointer: '/reply_url', detail: checked.detail }]);
  return { outcome: 'read', settings: { ...settings, reply_url: checked.url } };
}
