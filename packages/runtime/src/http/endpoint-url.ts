import { CONVERSATIONS_PATH, WEBHOOK_PATH } from '@sluice/contract/delivery/webhook-path';

/** Returns the URL of a source's webhook: `{events_url}/api/v1/events/webhook/<source_id>`. */
export function endpointUrl(eventsUrl: string, sourceId: string): string {
  return urlOf(eventsUrl, WEBHOOK_PATH, sourceId);
}

/** Returns the URL of a channel's endpoint: `{events_url}/api/v1/conversations/webhook/<channel_id>`. */
export function channelEndpointUrl(eventsUrl: string, channelId: string): string {
  return urlOf(eventsUrl, CONVERSATIONS_PATH, channelId);
}

function urlOf(eventsUrl: string, path: string, id: string): string {
  return `${eventsUrl.replace(/\/+$/, '')}${path}${id}`;
}
