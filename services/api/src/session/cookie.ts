import type { Request, Response } from 'express';

/** The prefix binds the cookie to this very host, over TLS only; browsers refuse it without TLS (RFC 6265bis). */
const SECURE_NAME = '__Host-sluice';
const PLAIN_NAME = 'sluice';

const nameFor = (request: Request) => (request.secure ? SECURE_NAME : PLAIN_NAME);

/** The token of a request's session cookie. */
export function readSessionCookie(request: Request): string | undefined {
  const name = nameFor(request);
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** Out of reach of scripts; not sent along with another site's requests, but for links that are followed. */
export function setSessionCookie(
  request: Request,
  response: Response,
  token: string,
  maxAgeMs: number,
): void {
  response.cookie(nameFor(request), token, {
    httpOnly: true,
    sameSite: 'lax',
    secure: request.secure,
    path: '/',
    maxAge: maxAgeMs,
  });
}

export function clearSessionCookie(request: Request, response: Response): void {
  response.clearCookie(nameFor(request), {
    httpOnly: true,
    sameSite: 'lax',
    secure: request.secure,
    path: '/',
  });
}
