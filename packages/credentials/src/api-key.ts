import { createHash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { encodeBase62 } from './base62.ts';
import { randomBase62 } from './random-base62.ts';

/** A key is `slc_live_`, 43 characters of base 62 (256 bits) and 6 of checksum. */
const KEY_START = 'slc_live_';
const SECRET_LENGTH = 43;
/** 62^6 is above 2^32, so the whole CRC fits. */
const CHECKSUM_LENGTH = 6;
const SHOWN_LENGTH = 6;
const FORM = /^slc_live_[0-9A-Za-z]{49}$/;

/** A new key with its stored prefix and hash. The key itself is shown once and never stored. */
export interface NewApiKey {
  readonly key: string;
  readonly prefix: string;
  readonly hash: string;
}

/** The result of checking a key without a lookup. */
export type ApiKeyForm =
  | { readonly status: 'plausible'; readonly prefix: string; readonly hash: string }
  /** The text does not have the form of a key. */
  | { readonly status: 'malformed' }
  /** The form is right, but the key was mistyped or copied incompletely. */
  | { readonly status: 'checksum_wrong' };

/** Makes a random key. */
export function newApiKey(): NewApiKey {
  const body = KEY_START + randomBase62(SECRET_LENGTH);
  const key = body + checksum(body);
  return { key, prefix: apiKeyPrefix(key), hash: hashApiKey(key) };
}

/** Checks form and checksum, so that typos are found, and leak scanners can check a key, without a lookup. */
export function checkApiKeyForm(text: string): ApiKeyForm {
  if (!FORM.test(text)) return { status: 'malformed' };
  const body = text.slice(0, -CHECKSUM_LENGTH);
  if (text.slice(-CHECKSUM_LENGTH) !== checksum(body)) return { status: 'checksum_wrong' };
  return { status: 'plausible', prefix: apiKeyPrefix(text), hash: hashApiKey(text) };
}

/** The part of a key that the dashboard shows: `slc_live_` and the first 6 characters of the secret part. */
export function apiKeyPrefix(key: string): string {
  return key.slice(0, KEY_START.length + SHOWN_LENGTH);
}

/**
 * The stored hash of a key: SHA-256 in hex. A slow hash would add no security, because 256 random bits cannot be guessed, and
 * it would slow down every request.
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
