import type { Role } from '@sluice/contract/roles';
import type { Session } from '@sluice/store/sessions';
import type { User } from '@sluice/store/users';
import type { Request, Response } from 'express';
import type { Refusal } from './result.ts';

export type Authenticate = (
  request: Request,
  response: Response,
  options?: AuthenticateOptions,
) => Promise<SignedIn | Refusal>;

/** Who makes a request, in which account, with which rights. */
export interface SignedIn {
  readonly user: User;
  readonly session: Session;
  readonly accountId: string;
  readonly role: Role;
}

export interface AuthenticateOptions {
  /** Also whom the account requires to set up two-factor sign-in first. Default: they are refused. */
  readonly beforeSetUp?: boolean;
}
