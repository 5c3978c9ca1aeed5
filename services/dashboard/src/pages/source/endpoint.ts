import type { Channel, ChannelWithActivity } from '@sluice/dashboard-api/channels';
import type { Route } from '@sluice/dashboard-api/route';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Source, SourceSettings, SourceWithActivity } from '@sluice/dashboard-api/sources';
import { OWN_PRESET } from '@sluice/signature/sender/sender';
import { isChannelId } from '../../shell/page-links.ts';

/** Sources receive events, channels conversations. Both have an endpoint URL, a signing secret and a delivery log. */
export type EndpointKind = 'source' | 'channel';

export type Endpoint = SourceWithActivity | ChannelWithActivity;

/** A source or channel as the parts that both share need it: with its id as `source_id`. A channel has the scheme of Sluice. */
export function asSource<Of extends Source | Channel>(of: Of): Of & Pick<Source, 'source_id' | 'sender'> {
  return 'channel_id' in of
    ? { ...of, source_id: of.channel_id, sender: OWN_PRESET }
    : { ...of, source_id: of.source_id, sender: of.sender };
}

export function kindOf(id: string): EndpointKind {
  return isChannelId(id) ? 'channel' : 'source';
}

type KeptOrDeleted = 'keep' | 'delete';
interface Count {
  readonly count: number;
  readonly more: boolean;
}

/** The routes that sources and channels both have. */
interface EndpointRoutes {
  readonly list: Route<{ response: { readonly items: readonly Endpoint[] } }>;
  readonly show: Route<{ params: string; response: Endpoint }>;
  readonly create: Route<{
    body: { name: string; sender?: string | undefined };
    response: { readonly source: Source } | { readonly channel: Channel };
  }>;
  readonly setActive: Route<{ params: string; body: { active: boolean }; response: unknown }>;
  readonly settings: Route<{ params: string; body: SourceSettings; response: unknown }>;
  readonly deletion: Route<{ params: string; response: { events: Count } | { conversations: Count } }>;
  readonly delete: Route<{
    params: string;
    body: { events: KeptOrDeleted } | { conversations: KeptOrDeleted };
    response: unknown;
  }>;
}

export const ENDPOINT_ROUTES: Readonly<Record<EndpointKind, EndpointRoutes>> = {
  source: ROUTES.sources,
  channel: ROUTES.channels,
};

/** The parameters of these routes. Each path has one of them. */
export function paramsOf(id: string) {
  return { sourceId: id, channelId: id };
}

/** The routes whose responses change when a source or channel changes. */
export const ENDPOINTS_SHOWN = [
  ROUTES.sources.list,
  ROUTES.sources.show,
  ROUTES.channels.list,
  ROUTES.channels.show,
] as const;
