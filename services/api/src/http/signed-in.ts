import type { Role } from '@sluice/contract/account/roles';
import type { Session } from '@sluice/store/users/sessions';
import type { User } from '@sluice/store/users/users';
import type { Request, Response } from 'express';
import type { Refusal } from './result.ts';

export type Authenticate = (
  request: Request,
  response: Response,
  options?: AuthenticateOptions,
) => Promise<SignedIn | Refusal>;

/** The user who makes a request, with account and role. */
export interface SignedIn {
  readonly user: User;
  readonly session: Session;
  readonly accountId: string;
  readonly role: Role;
}

interface AuthenticateOptions {
  /** Also accepts users who must set up two-factor sign-in first. Default: they are rejected. */
  readonly beforeSetUp?: boolean;
}

/** Marks a request as made with a session or a live API key of this account, which has separate log lines. */
export function markKnownCaller(response: Response, accountId: string): void {
  response.locals.knownCaller = accountId;
}

/** The account whose session or live API key a request had. */
export function knownCallerOf(response: Response): string | undefined {
  return response.locals.knownCaller as string | undefined;
}
