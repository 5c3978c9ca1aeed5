import { WEBHOOK_PATH } from '@sluice/contract/webhook-path';

/** Where requests to a source go: `{events_url}/api/v1/events/webhook/<source_id>` (service.md 2.2). */
export function endpointUrl(eventsUrl: string, sourceId: string): string {
  return `${eventsUrl.replace(/\/+$/, '')}${WEBHOOK_PATH}${sourceId}`;
}
