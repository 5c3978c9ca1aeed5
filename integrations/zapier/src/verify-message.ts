import { timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { currentSecret } from './current-secret';
import type { Subscribed } from './subscribed';

/** Zapier renames the headers of a hook: `webhook-id` arrives as `Http-Webhook-Id`. */
const HEADER_PREFIX = /^http-/i;

/**
 * Zapier responds to a hook before the Zap runs, and may hold it back meanwhile. So a message is not too old after the 5 minutes of
 * Standard Webhooks. A copied request can start the Zap again for as long (README.md).
 */
const LONGEST_HELD_SECONDS = 24 * 60 * 60;

/** The headers of a hook, by their names in small letters. */
export function messageHeaders({ rawRequest }: Bundle): Record<string, string | undefined> {
  const headers = Object.entries(rawRequest?.headers ?? {});
  return Object.fromEntries(
    headers.map(([name, value]) => [name.replace(HEADER_PREFIX, '').toLowerCase(), value]),
  );
}

/** `v1,` and the base64 of 32 bytes. */
const SIGNATURE = /^v1,[A-Za-z0-9+/]{43}=$/;

/**
 * The message of a hook, if Sluice signed it with the secret of this subscription. If another secret signed it, the secret may have
 * been rotated in Sluice, so the app asks for it: Zapier has no place to keep the new one. It asks for nothing that does not have
 * the form of a message. Otherwise it throws HaltedError: Zapier switches a Zap off after many errors, so a forged request must not
 * count as one.
 */
export async function verifyMessage(z: ZObject, bundle: Bundle): Promise<Record<string, unknown>> {
  const headers = messageHeaders(bundle);
  const content = bundle.rawRequest?.content ?? '';
  const kept = (bundle.subscribeData ?? {}) as Partial<Subscribed>;
  const isSigned = (secret: string | undefined) =>
    secret !== undefined && hasSignature(content, headers, secret);
  const message = isRecent(headers['webhook-timestamp']) ? readMessage(content, headers) : undefined;
  if (message !== undefined) {
    if (isSigned(kept.secret)) return message;
    const current =
      kept.id === undefined ? undefined : await currentSecret(z, bundle, { ...kept, id: kept.id });
    if (current !== kept.secret && isSigned(current)) return message;
  }
  throw new z.errors.HaltedError(
    'Sluice did not sign this message for this Zap, or it is more than a day old. It was ignored.',
  );
}

/** The body, if body and headers have the form of a message: they have one ID, and there is a signature. */
function readMessage(
  content: string,
  headers: Record<string, string | undefined>,
): Record<string, unknown> | undefined {
  if (!signaturesOf(headers).some((signature) => SIGNATURE.test(signature))) return undefined;
  const body = parse(content);
  return body !== undefined && body.id === headers['webhook-id'] ? body : undefined;
}

function parse(content: string): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(content);
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Any of the signatures may match, because a rotated secret signs too during its overlap. */
function signaturesOf(headers: Record<string, string | undefined>): string[] {
  return (headers['webhook-signature'] ?? '').split(' ');
}

function isRecent(timestamp: string | undefined): boolean {
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return false;
  return Math.abs(Date.now() / 1000 - Number(timestamp)) <= LONGEST_HELD_SECONDS;
}

function hasSignature(content: string, headers: Record<string, string | undefined>, secret: string): boolean {
  const signedAt = new Date(Number(headers['webhook-timestamp']) * 1000);
  const expected = Buffer.from(new Webhook(secret).sign(headers['webhook-id'] ?? '', signedAt, content));
  return signaturesOf(headers).some((signature) => {
    const sent = Buffer.from(signature);
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  });
}
