import type { ChannelSettings } from './channels.ts';
import { settingsInWords } from './source-settings-words.ts';

/**
 * Describes the changed settings of a channel for the audit log. Of the reply URL, which is checked, it has the host alone, because
 * a path or a query may contain a token of the chat platform.
 */
export function channelSettingsInWords(settings: ChannelSettings): string {
  const { reply_url: replyUrl, makes_leads: makesLeads, ...others } = settings;
  const host = replyUrl == null ? 'nowhere' : new URL(replyUrl).host;
  return [
    ...(replyUrl === undefined ? [] : [`Replies go to: ${host}`]),
    ...(makesLeads === undefined ? [] : [`Make leads: ${makesLeads ? 'yes' : 'no'}`]),
    ...(Object.keys(others).length === 0 ? [] : [settingsInWords(others)]),
  ].join(', ');
}
