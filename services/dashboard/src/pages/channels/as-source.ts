import type { Channel } from '@sluice/dashboard-api/channels';
import type { Source } from '@sluice/dashboard-api/sources';

/** A channel as the parts that sources and channels share need it: secret, rotation, code and delivery log. */
export function asSource<C extends Channel>(channel: C): C & Pick<Source, 'source_id'> {
  return { ...channel, source_id: channel.channel_id };
}
