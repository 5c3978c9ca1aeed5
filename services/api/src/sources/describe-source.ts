import { overlapEnd } from '@sluice/accounts/secrets/rotate-secret';
import { formatInstant, instantOrNull } from '@sluice/contract/time/instant';
import type { Source as SourceItem } from '@sluice/dashboard-api/sources';
import { endpointUrl } from '@sluice/runtime/http/endpoint-url';
import { OWN_PRESET } from '@sluice/signature/sender/sender';
import { isChannel } from '@sluice/store/sources/is-channel';
import type { Source } from '@sluice/store/sources/source';
import type { RouteDeps } from '../parts.ts';

/** Describes a source without its secret. */
export function describeSource({ eventsUrl, defaultRate, now }: RouteDeps, source: Source): SourceItem {
  return {
    source_id: source.source_id,
    name: source.name,
    endpoint_url: endpointUrl(eventsUrl, source.source_id),
    active: source.active,
    created_at: formatInstant(source.created_at),
    secret_rotated_at: instantOrNull(source.secret_rotated_at),
    overlap_until: instantOrNull(overlapEnd(source, now())),
    body_storage: source.body_storage,
    rate_per_second: source.rate_per_second ?? defaultRate.perSecond,
    rate_burst: source.rate_burst ?? defaultRate.burst,
    sender: source.sender?.preset ?? OWN_PRESET,
    ...(!isChannel(source) && { external_ids: source.external_ids ?? false }),
  };
}
