import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const KEY_BYTES = 32;

export type SecretKeyResult =
  | { readonly ok: true; readonly key: Buffer }
  | { readonly ok: false; readonly detail: string };

/** Reads SLUICE_SECRET_KEY: 32 bytes as 64 hex digits, or as base64 (either alphabet, padding optional). */
export function parseSecretKey(text: string): SecretKeyResult {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return { ok: true, key: Buffer.from(text, 'hex') };
  // 32 bytes are 43 base64 characters; Buffer would silently skip anything else.
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return { ok: true, key: Buffer.from(text, 'base64') };
  return { ok: false, detail: 'must be 32 bytes in base64 or hex; make one with: openssl rand -base64 32' };
}

/** The file in which `npm start` keeps its key. */
export function secretKeyPath(dataDir: string): string {
  return join(dataDir, 'secret-key');
}

/** Returns the key that `npm start` made in this DATA_DIR; undefined: it has not run there. Throws when it is damaged. */
export async function readSecretKey(dataDir: string): Promise<Buffer | undefined> {
  const path = secretKeyPath(dataDir);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const parsed = parseSecretKey(text.trim());
  if (!parsed.ok)
    throw new Error(`${path} ${parsed.detail}. What was encrypted with it cannot be read without it.`);
  return parsed.key;
}

/** Makes the key at the first run. Only the launcher may call it: a tool's new key would be unknown to the services. */
export async function readOrMakeSecretKey(dataDir: string): Promise<Buffer> {
  const existing = await readSecretKey(dataDir);
  if (existing !== undefined) return existing;
  const key = randomBytes(KEY_BYTES);
  const path = secretKeyPath(dataDir);
  // Rename is atomic: half a key would be worse than none.
  await writeFile(`${path}.new`, `${key.toString('base64')}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return key;
}
