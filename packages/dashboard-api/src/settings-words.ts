import type { BodyStorage } from '@sluice/contract/delivery/body-storage';
import type { ChannelSettings } from './channels.ts';
import type { SourceSettings } from './sources.ts';

/** The names of a source's settings, as shown on the page and in the audit log. */
export const SETTING_WORDS = {
  name: 'Name',
  body_storage: 'Keep request bodies',
  rate_per_second: 'Requests a second',
  rate_burst: 'Burst',
  external_ids: 'External ids',
} as const satisfies Record<keyof SourceSettings, string>;

export const BODY_STORAGE_WORDS: Readonly<Record<BodyStorage, string>> = {
  all: 'All',
  failures: 'Failures only (rejected or failed)',
  none: 'None',
};

/** Describes the changed settings: `Requests a second: 5, Burst: the default`. */
export function settingsInWords(settings: SourceSettings): string {
  const { body_storage, external_ids: ids, ...others } = settings;
  const values = {
    ...others,
    ...(body_storage && { body_storage: BODY_STORAGE_WORDS[body_storage] }),
    ...(ids !== undefined && { external_ids: ids ? 'on' : 'off' }),
  };
  return (Object.keys(SETTING_WORDS) as (keyof SourceSettings)[])
    .filter((name) => values[name] !== undefined)
    .map((name) => `${SETTING_WORDS[name]}: ${values[name] ?? 'the default'}`)
    .join(', ');
}

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
