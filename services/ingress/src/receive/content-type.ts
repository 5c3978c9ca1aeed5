import type { IncomingHttpHeaders } from 'node:http';

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/**
 * Is the body plain JSON by its headers? Parameters such as charset are allowed (RFC 8259 gives them no meaning).
 * A compressed body is not unpacked: the signature covers the bytes as sent, and unpacking invites bombs.
 */
export function isPlainJson({
  'content-type': type,
  'content-encoding': encoding,
}: IncomingHttpHeaders): boolean {
  return (
    type !== undefined &&
    JSON_TYPE.test(type) &&
    (encoding === undefined || encoding.toLowerCase() === 'identity')
  );
}
