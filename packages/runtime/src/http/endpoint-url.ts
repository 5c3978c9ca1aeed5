import { WEBHOOK_PATH } from '@sluice/contract/webhook-path';

/** Returns the URL of a source's webhook: `{events_url}/api/v1/events/webhook/<source_id>` (service.md 2.2). */
export function endpointUrl(eventsUrl: string, sourceId: string): string {
  return `${eventsUrl.replace(/\/+$/, '')}${WEBHOOK_PATH}${sourceId}`;
}
