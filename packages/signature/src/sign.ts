import { createHmac } from 'node:crypto';

/** Request headers of the webhook scheme (docs/sending-events.md), lower-cased as Node presents them. */
export const TIMESTAMP_HEADER = 'x-service-timestamp';
export const SIGNATURE_HEADER = 'x-service-signature';

export const SIGNATURE_PREFIX = 'sha256=';

export interface SignInput {
  readonly secret: string;
  /** Unix time in seconds, as the decimal string that goes into the timestamp header. */
  readonly timestamp: string;
  /** The exact bytes that will be sent. */
  readonly body: Uint8Array;
}

/**
 * The value of the signature header: `sha256=` and the HMAC-SHA256 over `<timestamp>.<raw body>` as 64
 * lower-case hex digits. The key is the UTF-8 bytes of the whole secret as shown, `whsec_` included. (Standard Webhooks
 * strips the prefix and decodes base64. This scheme does not.)
 */
export function signBody({ secret, timestamp, body }: SignInput): string {
  return SIGNATURE_PREFIX + createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}
