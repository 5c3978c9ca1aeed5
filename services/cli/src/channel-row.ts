import { formatInstant } from '@sluice/contract/instant';
import { channelEndpointUrl } from '@sluice/runtime/http/endpoint-url';
import type { Source } from '@sluice/store/sources/source';
import type { Row } from './output.ts';
import { settingsRow } from './settings/settings-options.ts';

/** The row of a channel with its signing secret in plain text, for `create`, `show` and `rotate-secret`. */
export function channelWithSecret(eventsUrl: string, channel: Source, signingSecret: string | null): Row {
  return {
    channel_id: channel.source_id,
    name: channel.name,
    endpoint_url: channelEndpointUrl(eventsUrl, channel.source_id),
    signing_secret: signingSecret,
    reply_url: channel.reply_url ?? null,
    makes_leads: channel.makes_leads ?? false,
    active: channel.active,
    created_at: formatInstant(channel.created_at),
  };
}

/** The row of a channel without its secret, for all other commands. */
export function channelRow(eventsUrl: string, channel: Source): Row {
  const { signing_secret: _, ...row } = channelWithSecret(eventsUrl, channel, null);
  return { ...row, account_id: channel.account_id, ...settingsRow(channel) };
}
