import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';

interface Cookie {
  /** The value that a request carries. */
  read(request: Request): string | undefined;
  set(request: Request, response: Response, value: string, maxAgeMs: number): void;
  clear(request: Request, response: Response): void;
}

/** The setting of the Express application: browsers reach it over TLS, also where a proxy does not forward the scheme. */
export const OVER_TLS = 'sluice over tls';

function isOverTls({ secure, app }: Request): boolean {
  return secure || app.get(OVER_TLS) === true;
}

/**
 * A cookie out of reach of scripts. The prefix binds it to this very host, over TLS only; browsers refuse the prefix
 * without TLS (RFC 6265bis).
 */
function cookie(plainName: string, sameSite: 'lax' | 'strict'): Cookie {
  const nameFor = (request: Request) => (isOverTls(request) ? `__Host-${plainName}` : plainName);
  const attributes = (request: Request) =>
    ({ httpOnly: true, sameSite, secure: isOverTls(request), path: '/' }) as const;
  return {
    read: (request) => parseCookie(request.headers.cookie ?? '', { decode })[nameFor(request)],
    set(request, response, value, maxAge) {
      response.cookie(nameFor(request), value, { ...attributes(request), maxAge });
    },
    clear(request, response) {
      response.clearCookie(nameFor(request), attributes(request));
    },
  };
}

/** Signs in. Another site's requests carry it only where a link is followed. */
export const SESSION_COOKIE = cookie('sluice', 'lax');

/** Marks a browser that has signed in before (see device.ts). It signs nobody in. */
export const DEVICE_COOKIE = cookie('sluice-device', 'strict');

/** Values are base64url, which no percent sign changes. */
function decode(value: string): string {
  return value;
}
