import { createHash, randomBytes } from 'node:crypto';

/** A secret that is handed out once (a cookie, a one-time link): 256 random bits. */
export function newToken(): { readonly token: string; readonly hash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashToken(token) };
}

/** What is stored of it. A slow hash would add nothing: there is nothing to guess in 256 random bits. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
