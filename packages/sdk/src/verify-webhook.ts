import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { WebhookMessage } from './types.ts';

export { WebhookVerificationError };

/** Headers of Fetch, or those of a request of Node. */
export type ReceivedHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/**
 * Checks the signature and the age of a message (Standard Webhooks 1.0), and parses it.
 * @param rawBody the bytes as received. A body that was parsed and written again has another signature.
 * @param secrets the signing secret `whsec_…`. Several during a rotation: any one of them is enough.
 * @throws WebhookVerificationError if no secret fits, or the message is over five minutes old. Answer 401 then. Another error if every
 * secret is empty or malformed.
 */
export function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: ReceivedHeaders,
  secrets: string | readonly string[],
): WebhookMessage {
  const text = textOf(rawBody);
  const signed = Object.fromEntries(NAMES.map((name) => [name, headerOf(headers, name)]));
  let reason: unknown;
  for (const secret of [secrets].flat()) {
    try {
      // A secret that was read from a file has a line end, which is no base64 for the library if it is CR LF.
      return new Webhook(secret.trim()).verify(text, signed) as WebhookMessage;
    } catch (error) {
      // The library throws another error for a secret that is empty or no base64. It must not hide that the signature is wrong.
      if (!(reason instanceof WebhookVerificationError)) reason = error;
    }
  }
  throw reason ?? new WebhookVerificationError('No signing secret was given.');
}

function textOf(rawBody: string | Uint8Array): string {
  if (typeof rawBody === 'string') return rawBody;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(rawBody);
  } catch {
    throw new WebhookVerificationError('The body is not UTF-8.');
  }
}

function headerOf(headers: ReceivedHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : (found?.[0] ?? '');
}
