import { createHash, randomBytes } from 'node:crypto';

/** Creates a secret that is handed out once (a cookie, a one-time link): 256 random bits. */
export function newToken(): { readonly token: string; readonly hash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashToken(token) };
}

/** The hash that is stored instead of the token. A slow hash is unnecessary: 256 random bits cannot be guessed. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
