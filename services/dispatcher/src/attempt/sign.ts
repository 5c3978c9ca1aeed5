import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/** The key of a Standard Webhooks secret (`whsec_` and base64). */
export function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}

/**
 * The value of `webhook-signature` (Standard Webhooks 1.0): one signature for each secret that is valid now. Exactly one space
 * separates two, because Python's verifier raises an error on more.
 */
export function signatures(
  keys: readonly Uint8Array[],
  {
    messageId,
    timestamp,
    body,
  }: { readonly messageId: string; readonly timestamp: number; readonly body: string | Uint8Array },
): string {
  const start = `${messageId}.${timestamp}.`;
  return keys
    .map((key) => `v1,${createHmac('sha256', key).update(start).update(body).digest('base64')}`)
    .join(' ');
}
