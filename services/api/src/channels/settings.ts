import { readTargetUrl } from '@sluice/egress/check-url';
import type { ChannelSettings, SourceSettings } from '@sluice/store/source';
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
export function readSettings(sent: SentSettings, options: { readonly allowHttp: boolean }): ReadSettings {
  const settings: SourceSettings & ChannelSettings = Object.fromEntries(
    Object.entries(sent).filter(([, value]) => value !== undefined),
  );
  if (typeof settings.reply_url !== 'string') return { outcome: 'read', settings };
  const checked = readTargetUrl(settings.reply_url, options);
  if (checked.outcome === 'url')
    return { outcome: 'read', settings: { ...settings, reply_url: checked.url.href } };
  return refuseFields([{ pointer: '/reply_url', detail: checked.detail }]);
}
