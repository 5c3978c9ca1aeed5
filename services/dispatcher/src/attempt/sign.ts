import { type SignedMessage, signMessage } from '@sluice/signature/standard-webhooks';

/**
 * The value of `webhook-signature` (Standard Webhooks 1.0): one signature for each secret that is valid now. Exactly one space
 * separates two, because Python's verifier raises an error on more.
 */
export function signatures(keys: readonly Uint8Array[], message: SignedMessage): string {
  return keys.map((key) => signMessage(key, message)).join(' ');
}
