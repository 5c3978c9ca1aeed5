/** The path of the webhook endpoint. The id of a source follows it. */
export const WEBHOOK_PATH = '/api/v1/events/webhook/';

/**
 * It stands in place of a source id in the check by `sluice doctor`. Its GET gets the 405 of an ingress that accepts requests, or the 503 of one that
 * does not. No source has this id.
 */
export const PROBED_SOURCE = 'src_doctor';

/** The endpoint as a route, and as metrics and traces name it. */
export const WEBHOOK_ROUTE = `${WEBHOOK_PATH}:sourceId`;

/** The path of the endpoint of channels. The id of a channel follows it. */
export const CONVERSATIONS_PATH = '/api/v1/conversations/webhook/';

/** The endpoint of channels as a route, and as metrics and traces name it. */
export const CONVERSATIONS_ROUTE = `${CONVERSATIONS_PATH}:channelId`;

/** The form of a source id, as a part of a regular expression. */
export const SOURCE_ID_PATTERN = '[A-Za-z0-9_-]{1,64}';
