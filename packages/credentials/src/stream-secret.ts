import { hkdfSync } from 'node:crypto';
import type { Keyring } from './seal.ts';

/** The length of other secrets too. */
const BYTES = 48;

/**
 * The secret of every stream of an API key, as Standard Webhooks writes it. It stays the same from run to run, so that a developer
 * configures it once.
 */
export function streamSecret({ current }: Keyring, keyId: string): string {
  const bytes = hkdfSync('sha256', current.bytes, '', `sluice stream ${keyId}`, BYTES);
  return `whsec_${Buffer.from(bytes).toString('base64')}`;
}
