import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Keyring } from './seal.ts';

/** The use of a message authentication code. A code for one purpose is invalid for the others. */
export type MacPurpose = 'cursor' | 'idempotent-body';

/**
 * Signs texts that leave the service and come back. A text is signed with every key of the keyring: while the secret key
 * is being changed, replicas with only the former or only the new key accept it.
 */
export interface MacKeys {
  /** The codes of a text: `<key id>.<16 bytes in base64url>` for each key, separated by `~`. */
  sign(purpose: MacPurpose, text: string): string;
  /** Whether one of these codes is of this text. */
  fits(purpose: MacPurpose, text: string, codes: string): boolean;
}

/** 128 bits cannot be guessed, and keep a cursor short. */
const CODE_BYTES = 16;

/** Derives the keys of each purpose from a keyring. All processes with a common key accept each other's codes. */
export function createMacKeys(keyring: Keyring): MacKeys {
  const derived = new Map<string, Buffer>();
  const keyOf = (keyId: string, purpose: MacPurpose): Buffer | undefined => {
    const name = `${keyId} ${purpose}`;
    const known = derived.get(name);
    if (known !== undefined) return known;
    const bytes = keyring.find(keyId)?.bytes;
    if (bytes === undefined) return undefined;
    const key = Buffer.from(hkdfSync('sha256', bytes, '', `sluice ${purpose}`, 32));
    derived.set(name, key);
    return key;
  };
  const fitsOne = (purpose: MacPurpose, text: string, one: string): boolean => {
    const [keyId = '', given = ''] = one.split('.');
    const key = keyOf(keyId, purpose);
    if (key === undefined) return false;
    const bytes = Buffer.from(given, 'base64url');
    return bytes.length === CODE_BYTES && timingSafeEqual(bytes, codeOf(key, text));
  };
  return {
    sign: (purpose, text) =>
      keyring.ids
        .map((id) => `${id}.${codeOf(keyOf(id, purpose) as Buffer, text).toString('base64url')}`)
        .join('~'),
    fits: (purpose, text, codes) => codes.split('~').some((one) => fitsOne(purpose, text, one)),
  };
}

function codeOf(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest().subarray(0, CODE_BYTES);
}
