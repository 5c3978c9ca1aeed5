import { DAY_MS } from '@sluice/contract/time/durations';
import { hashToken, newToken } from '@sluice/credentials/token';
import type { UserTokens } from '@sluice/store/users/user-tokens';
import type { Users } from '@sluice/store/users/users';
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

/** Marks a browser that has signed in before. It signs nobody in. */
export const DEVICE_COOKIE = cookie('sluice-device', 'strict');

/** Values are base64url, which no percent sign changes. */
function decode(value: string): string {
  return value;
}

/** A browser is forgotten if its user does not sign in with it for this long. */
const DEVICE_MS = 90 * DAY_MS;

export interface DeviceDeps {
  readonly userTokens: Pick<UserTokens, 'insertUserToken' | 'findUserToken' | 'takeUserToken'>;
  readonly users: Pick<Users, 'findUser'>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** The hash of the device cookie, if the user with this email address has signed in on this browser before. */
export async function knownDevice(
  { userTokens, users, now }: DeviceDeps,
  request: Request,
  email: string,
): Promise<string | undefined> {
  const value = DEVICE_COOKIE.read(request);
  const token = value === undefined ? undefined : await userTokens.findUserToken('device', hashToken(value));
  if (token === undefined || token.expires_at <= now()) return undefined;
  return (await users.findUser(token.user_id))?.email === email ? token.token_hash : undefined;
}

/** Gives the browser a new device cookie. The previous one becomes invalid, even if it was copied. */
export async function rememberDevice(
  { userTokens, now }: DeviceDeps,
  request: Request,
  response: Response,
  userId: string,
): Promise<void> {
  const before = DEVICE_COOKIE.read(request);
  if (before !== undefined) await userTokens.takeUserToken('device', hashToken(before));
  const { token, hash } = newToken();
  const at = now();
  await userTokens.insertUserToken({
    token_hash: hash,
    kind: 'device',
    user_id: userId,
    created_at: at,
    expires_at: at + DEVICE_MS,
  });
  DEVICE_COOKIE.set(request, response, token, DEVICE_MS);
}
