import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

interface SealingKey {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** The current key, which seals, and older keys, which can still open. */
export interface Keyring {
  readonly current: SealingKey;
  /** The ids of all keys. */
  readonly ids: readonly string[];
  find(keyId: string): SealingKey | undefined;
}

/** The result of opening a sealed secret. */
export type Opened =
  | { readonly status: 'opened'; readonly secret: string }
  /** The keyring does not have its key. */
  | { readonly status: 'unknown_key'; readonly keyId: string }
  /** It was changed since it was sealed, or sealed for another context. */
  | { readonly status: 'damaged' };

/** Creates a keyring of 32-byte keys (AES-256). A fingerprint is the id of a key, so that admins need not number them. */
export function createKeyring({
  current,
  older = [],
}: {
  current: Uint8Array;
  older?: readonly Uint8Array[];
}): Keyring {
  const keys = new Map([current, ...older].map((bytes) => [fingerprint(bytes), bytes]));
  const find = (id: string) => {
    const bytes = keys.get(id);
    return bytes === undefined ? undefined : { id, bytes };
  };
  return { current: { id: fingerprint(current), bytes: current }, ids: [...keys.keys()], find };
}

/**
 * Encrypts a secret as `v1.<key id>.<iv>.<ciphertext>.<tag>` (base64url). `context` (the source id) is authenticated too, so a
 * sealed secret does not open for another source.
 */
export function seal(keyring: Keyring, context: string, secret: string): string {
  const { id, bytes } = keyring.current;
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, bytes, iv, { authTagLength: TAG_BYTES }).setAAD(
    Buffer.from(context),
  );
  const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return ['v1', id, ...[iv, ciphertext, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join(
    '.',
  );
}

/** Decrypts a secret that `seal` made with the same context. Never throws. */
export function open(keyring: Keyring, context: string, sealed: string): Opened {
  const [version, keyId, ...parts] = sealed.split('.');
  const [iv, ciphertext, tag] = parts.map((part) => Buffer.from(part, 'base64url'));
  const complete = version === 'v1' && keyId !== undefined && parts.length === 3;
  if (!complete || iv?.length !== IV_BYTES || ciphertext === undefined || tag?.length !== TAG_BYTES) {
    return { status: 'damaged' };
  }
  const key = keyring.find(keyId);
  if (key === undefined) return { status: 'unknown_key', keyId };
  const decipher = createDecipheriv(ALGORITHM, key.bytes, iv, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(tag);
  try {
    return {
      status: 'opened',
      secret: decipher.update(ciphertext, undefined, 'utf8') + decipher.final('utf8'),
    };
  } catch {
    // The one thing final() throws for is a tag that does not match.
    return { status: 'damaged' };
  }
}

/** The key id in a sealed secret. A damaged secret may not have one. */
export function sealedWith(sealed: string): string | undefined {
  return sealed.split('.')[1];
}

/** Matches only secrets that a key of the keyring has sealed. */
export function sealedByAny({ ids }: Keyring): RegExp {
  return new RegExp(`^v1\\.(?:${ids.join('|')})\\.`);
}

function fingerprint(bytes: Uint8Array): string {
  if (bytes.length !== KEY_BYTES)
    throw new RangeError(`a sealing key has ${KEY_BYTES} bytes, not ${bytes.length}`);
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 8);
}
