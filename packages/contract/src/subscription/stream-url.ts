/** The scheme of the URL of a subscription whose messages a connected program reads. */
const STREAM_SCHEME = 'stream:';

/** The URL of such a subscription. It is unique, because each program has its own. */
export function streamUrl(subscriptionId: string): string {
  return `${STREAM_SCHEME}${subscriptionId}`;
}

/** Whether a connected program reads the messages. */
export function isStreamUrl(targetUrl: string): boolean {
  return targetUrl.startsWith(STREAM_SCHEME);
}
