import { DAY_MS } from '@sluice/contract/durations';
import type { UserTokens } from '@sluice/store/users/user-tokens';
import type { Users } from '@sluice/store/users/users';
import type { Request, Response } from 'express';
import { DEVICE_COOKIE } from './cookie.ts';
import { hashToken, newToken } from './token.ts';

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
