import { createHash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { encodeBase62 } from './base62.ts';
import { randomBase62 } from './random-base62.ts';

/** Design section 6: `slc_live_`, 43 characters of base 62 (256 bits), 6 of checksum. */
const KEY_START = 'slc_live_';
const SECRET_LENGTH = 43;
/** 62^6 is above 2^32: the whole CRC fits. */
const CHECKSUM_LENGTH = 6;
const SHOWN_LENGTH = 6;
const FORM = /^slc_live_[0-9A-Za-z]{49}$/;

/** A new key and the two things that are kept of it. The key itself is shown once and stored nowhere. */
export interface NewApiKey {
  readonly key: string;
  readonly prefix: string;
  readonly hash: string;
}

/** What can be said of a key without looking it up. */
export type ApiKeyForm =
  | { readonly status: 'plausible'; readonly prefix: string; readonly hash: string }
  /** Not of the form of a key at all. */
  | { readonly status: 'malformed' }
  /** Of the form, but mistyped or cut and pasted wrongly. */
  | { readonly status: 'checksum_wrong' };

/** Makes a key (service.md 2.1). */
export function newApiKey(): NewApiKey {
  const body = KEY_START + randomBase62(SECRET_LENGTH);
  const key = body + checksum(body);
  return { key, prefix: apiKeyPrefix(key), hash: hashApiKey(key) };
}

/** Checks form and checksum, so that typos and leak scanners need no lookup. */
export function checkApiKeyForm(text: string): ApiKeyForm {
  if (!FORM.test(text)) return { status: 'malformed' };
  const body = text.slice(0, -CHECKSUM_LENGTH);
  if (text.slice(-CHECKSUM_LENGTH) !== checksum(body)) return { status: 'checksum_wrong' };
  return { status: 'plausible', prefix: apiKeyPrefix(text), hash: hashApiKey(text) };
}

/** What the dashboard shows of a key: `slc_live_` and the first 6 characters of the secret part. */
export function apiKeyPrefix(key: string): string {
  return key.slice(0, KEY_START.length + SHOWN_LENGTH);
}

/**
 * What is stored of a key: SHA-256 in hex. A slow hash would add nothing, because there is nothing to guess in
 * 256 random bits, and would cost every request.
 */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Compares two hashes of `hashApiKey` in constant time. */
export function sameApiKeyHash(a: string, b: string): boolean {
  const left = Buffer.from(a, 'hex');
  const right = Buffer.from(b, 'hex');
  return left.length === right.length && timingSafeEqual(left, right);
}

function checksum(body: string): string {
  return encodeBase62(crc32(body), CHECKSUM_LENGTH);
}
