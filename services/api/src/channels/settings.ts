import { settingsInWords } from '@sluice/dashboard-api/source-settings-words';
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

/**
 * Describes the changed settings for the audit log. Of the reply URL it has the host alone, because a path or a query may
 * contain a token of the chat platform.
 */
export function channelSettingsInWords(settings: SourceSettings & ChannelSettings): string {
  const { reply_url: replyUrl, makes_leads: makesLeads, ...others } = settings;
  return [
    ...(replyUrl === undefined ? [] : [`Replies go to: ${replyUrl === null ? 'nowhere' : hostOf(replyUrl)}`]),
    ...(makesLeads === undefined ? [] : [`Make leads: ${makesLeads ? 'yes' : 'no'}`]),
    ...(Object.keys(others).length === 0 ? [] : [settingsInWords(others)]),
  ].join(', ');
}

function hostOf(url: string): string {
  return new URL(url).host;
}
