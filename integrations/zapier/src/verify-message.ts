import { Webhook } from 'standardwebhooks';
import type { Bundle, ZObject } from 'zapier-platform-core';

/** Zapier renames the headers of a hook: `webhook-id` arrives as `Http-Webhook-Id`. */
const HEADER_PREFIX = /^http-/i;

/**
 * The message of a hook, if Sluice signed it with the secret of this subscription and less than 5 minutes ago. Otherwise it
 * throws HaltedError: Zapier switches a Zap off after many errors, so a forged request must not count as one.
 */
export function verifyMessage(z: ZObject, { rawRequest, subscribeData }: Bundle): Record<string, unknown> {
  const { secret } = (subscribeData ?? {}) as { secret?: string };
  if (secret === undefined)
    throw new z.errors.HaltedError(
      'This Zap has no secret to verify messages with. Switch it off and on again.',
    );
  const headers = Object.fromEntries(
    Object.entries(rawRequest?.headers ?? {}).map(([name, value]) => [
      name.replace(HEADER_PREFIX, ''),
      value,
    ]),
  );
  try {
    return new Webhook(secret).verify(rawRequest?.content ?? '', headers) as Record<string, unknown>;
  } catch {
    throw new z.errors.HaltedError(
      'Sluice did not sign this message, or it is more than 5 minutes old. It was ignored.',
    );
  }
}
