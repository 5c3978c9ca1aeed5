import { replyOverlapEnd } from '@sluice/accounts/secrets/rotate-reply-secret';
import type { Channel as ChannelItem } from '@sluice/dashboard-api/channels';
import { channelEndpointUrl } from '@sluice/runtime/http/endpoint-url';
import type { Channel } from '@sluice/store/sources/source';
import { instantOrNull } from '../http/instants.ts';
import { type DescribeSourceDeps, describeSource } from '../sources/describe-source.ts';

/** Describes a channel without its secrets. */
export function describeChannel(deps: DescribeSourceDeps, channel: Channel): ChannelItem {
  const { source_id: channel_id, ...rest } = describeSource(deps, channel);
  return {
    channel_id,
    ...rest,
    endpoint_url: channelEndpointUrl(deps.eventsUrl, channel_id),
    reply_url: channel.reply_url,
    makes_leads: channel.makes_leads,
    reply_overlap_until: instantOrNull(replyOverlapEnd(channel, deps.now())),
  };
}
