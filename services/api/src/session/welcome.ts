import { formatInstant } from '@sluice/contract/instant';
import { newId } from '@sluice/credentials/ids';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { acceptWelcome, type SignedIn, welcomeCheck } from '@sluice/dashboard-api/session';
import { hashLinkToken, isInviterGone } from '@sluice/management/create-link';
import type { Link, Links } from '@sluice/store/links';
import type { Memberships } from '@sluice/store/memberships';
import type { User, Users } from '@sluice/store/users';
import type { Request, Response } from 'express';
import type { Binder } from '../http/bind.ts';
import { done, type Refusal, type Result, refuse } from '../http/result.ts';
import { type FinishSignInDeps, finishSignIn } from './finish-sign-in.ts';
import { isFirst, isMember, type JoinDeps, join, makesOperator } from './join.ts';
import { refuseGuessable } from './new-password.ts';
import { checkPassword, hashPassword, type PasswordCost } from './password.ts';
import { passwordFault } from './password-fault.ts';
import type { Throttle } from './throttle.ts';

export interface WelcomeDeps extends FinishSignInDeps, JoinDeps {
  readonly links: Pick<Links, 'findLink' | 'takeLink'>;
  readonly users: Pick<Users, 'findUser' | 'findUserByEmail' | 'insertUser' | 'setOperator'>;
  readonly memberships: JoinDeps['memberships'] & Pick<Memberships, 'listMembershipsOf' | 'countOwners'>;
  readonly throttle: Throttle;
  readonly passwordCost: PasswordCost;
}

const INVALID = refuse(
  'link_invalid',
  'This link was used already, has expired, was withdrawn, or is not complete. If you have used it, sign in; if not, ask for a new one.',
);
const NOT_THEIRS = refuse(
  'wrong_password',
  'This email has a user already. Give the password that it signs in with.',
);
const PASSWORD_CHANGED = refuse(
  'signed_out',
  'The password was changed meanwhile. Sign in with the new one.',
);
const MEMBER_ALREADY = refuse(
  'conflict',
  'This email is a member of the account already: sign in with it. Its role is changed by an owner, under Members.',
);

/** The parsed body of `acceptWelcome`. */
interface Newcomer {
  readonly token: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** One-time links: what one is for, and using it up. */
export function welcomeRoutes({ open }: Binder, deps: WelcomeDeps): void {
  open(ROUTES.session.welcomeCheck, { body: welcomeCheck }, async ({ body: { token }, request }) => {
    const throttled = await deps.throttle.link(request);
    if (throttled !== undefined) return throttled;
    const link = await usable(deps, token);
    if (link === undefined) return INVALID;
    const account = await deps.accounts.findAccount(link.account_id);
    const { kind, role, email, account_id } = link;
    return done({
      kind,
      role,
      email,
      account_name: account?.name ?? account_id,
      expires_at: formatInstant(link.expires_at),
    });
  });

  open(ROUTES.session.welcome, { body: acceptWelcome }, ({ body, request, response }) =>
    accept(deps, body, request, response),
  );
}

async function accept(
  deps: WelcomeDeps,
  body: Newcomer,
  request: Request,
  response: Response,
): Promise<Result<SignedIn>> {
  const throttled = await deps.throttle.signIn(request, body.email);
  if (throttled !== undefined) return throttled;
  const link = await usable(deps, body.token);
  if (link === undefined) return INVALID;
  if (link.email !== null && link.email !== body.email)
    return refuse(
      'forbidden',
      `This link was made for ${link.email}. Use that address, or ask for a new link.`,
    );
  const known = await deps.users.findUserByEmail(body.email);
  if (known !== undefined && !(await checkPassword(body.password, known.password_hash))) return NOT_THEIRS;
  const fault = known === undefined ? await newcomerFault(deps, body, link) : undefined;
  if (fault !== undefined) return fault;
  // The link stays good for whom it was meant.
  if (known !== undefined && !isFirst(link) && (await isMember(deps, known, link))) return MEMBER_ALREADY;
  // All that can be wrong was looked at: now it is used up, by one of any number who try at once.
  if ((await deps.links.takeLink(link.token_hash)) === undefined) return INVALID;
  const user = known ?? (await newUser(deps, body, link));
  if ('outcome' in user) return user;
  await join(deps, user, link, request);
  const joined = { ...user, operator: user.operator || makesOperator(link) };
  const finished = await finishSignIn(deps, {
    request,
    response,
    user: joined,
    accountId: link.account_id,
  });
  return finished.status === 'answered' ? done(finished.body) : PASSWORD_CHANGED;
}

/** The link stays good where the password is one that anybody can guess. */
async function newcomerFault(deps: WelcomeDeps, body: Newcomer, link: Link): Promise<Refusal | undefined> {
  const account = await deps.accounts.findAccount(link.account_id);
  const accounts = account === undefined ? [] : [account.name];
  return refuseGuessable(passwordFault(body.password, { ...body, accounts }, '/password'));
}

async function newUser(deps: WelcomeDeps, body: Newcomer, link: Link): Promise<User | Refusal> {
  const user: User = {
    user_id: newId('usr'),
    email: body.email,
    name: body.name,
    password_hash: await hashPassword(body.password, deps.passwordCost),
    operator: makesOperator(link),
    created_at: deps.now(),
  };
  const { status } = await deps.users.insertUser(user);
  return status === 'exists'
    ? refuse('conflict', 'This email has just become a user. Ask for a new link.')
    : user;
}

/** A link that may be used now. One for a first owner is void once there is one, an invitation once its inviter is none. */
async function usable(deps: WelcomeDeps, token: string): Promise<Link | undefined> {
  const link = await deps.links.findLink(hashLinkToken(token));
  if (link === undefined || link.expires_at <= deps.now()) return undefined;
  if (isFirst(link) && (await deps.memberships.countOwners(link.account_id)) > 0) return undefined;
  const { account_id, invited_by } = link;
  if (invited_by === undefined) return link;
  const inviter = await deps.memberships.findMembership(account_id, invited_by);
  return isInviterGone(link, inviter) ? undefined : link;
}
