import type { Deed } from '@sluice/accounts/audit/audited';
import { knownChange } from '@sluice/accounts/audit/audited';
import { isInviterGone } from '@sluice/accounts/people/create-link';
import { formatInstant } from '@sluice/contract/time/instant';
import { newId } from '@sluice/credentials/ids';
import { hashToken } from '@sluice/credentials/token';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { acceptWelcome, type SignedIn, welcomeCheck } from '@sluice/dashboard-api/session';
import type { Link } from '@sluice/store/accounts/links';
import type { User } from '@sluice/store/users/users';
import type { Request, Response } from 'express';
import type { Binder } from '../http/bind.ts';
import { done, type Refusal, type Result, refuse } from '../http/result.ts';
import { checkPassword, hashPassword } from '../parts/password.ts';
import type { RouteDeps } from '../parts.ts';
import { passwordFault, refuseGuessable } from '../password/new-password.ts';
import { finishSignIn } from './sign-in.ts';

const INVALID = refuse(
  'link_invalid',
  'This link was already used, has expired, was withdrawn, or is incomplete. If you have used it, sign in. If not, ask for a new one.',
);
const NOT_THEIRS = refuse(
  'wrong_password',
  'A user with this email already exists. Enter the password of that user.',
);
const PASSWORD_CHANGED = refuse(
  'signed_out',
  'The password was changed in the meantime. Sign in with the new one.',
);
const MEMBER_ALREADY = refuse(
  'conflict',
  'This email is already a member of the account. Sign in with it. An owner can change its role under Members.',
);

/** The parsed body of `acceptWelcome`. */
interface Newcomer {
  readonly token: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** One-time links: describing and using them. */
export function welcomeRoutes({ open }: Binder, deps: RouteDeps): void {
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
  deps: RouteDeps,
  body: Newcomer,
  request: Request,
  response: Response,
): Promise<Result<SignedIn>> {
  const attempt = await deps.throttle.signIn(request, body.email);
  if (attempt.outcome === 'refused') return attempt;
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
  // An existing member does not use up the link, so the invited person can still use it.
  if (known !== undefined && !isFirst(link) && (await isMember(deps, known, link))) return MEMBER_ALREADY;
  const user = known ?? (await newcomer(deps, body, link));
  const refused = await deps.audited(
    { user, accountId: link.account_id },
    request,
    knownChange(
      joinedDeed(user, link),
      () => useLink(deps, link, { user, isNew: known === undefined }),
      (why) => why === undefined,
    ),
  );
  if (refused !== undefined) return refused;
  const joined = { ...user, operator: user.operator || makesOperator(link) };
  const finished = await finishSignIn(deps, {
    request,
    response,
    user: joined,
    accountId: link.account_id,
  });
  return finished.status === 'finished' ? done(finished.body) : PASSWORD_CHANGED;
}

/** Rejects a guessable password before the link is used up. */
async function newcomerFault(deps: RouteDeps, body: Newcomer, link: Link): Promise<Refusal | undefined> {
  const account = await deps.accounts.findAccount(link.account_id);
  const accounts = account === undefined ? [] : [account.name];
  return refuseGuessable(passwordFault(body.password, { ...body, accounts }, '/password'));
}

/** The user of a person who has none yet. It is not stored yet. */
async function newcomer(deps: RouteDeps, body: Newcomer, link: Link): Promise<User> {
  return {
    user_id: newId('usr'),
    email: body.email,
    name: body.name,
    password_hash: await hashPassword(body.password, deps.passwordCost),
    operator: makesOperator(link),
    created_at: deps.now(),
  };
}

/** Uses up a link, after everything else was checked. Resolves with why the user could not join. */
async function useLink(
  deps: RouteDeps,
  link: Link,
  { user, isNew }: { readonly user: User; readonly isNew: boolean },
): Promise<Refusal | undefined> {
  // If several requests try at once, only one succeeds.
  if ((await deps.links.takeLink(link.token_hash)) === undefined) return INVALID;
  if (isNew && (await deps.users.insertUser(user)).status === 'exists')
    return refuse('conflict', 'A user with this email was just created. Ask for a new link.');
  await join(deps, user, link);
  return undefined;
}

/** Finds a usable link. An owner link is void once an owner exists, an invitation once its inviter is not an owner. */
async function usable(deps: RouteDeps, token: string): Promise<Link | undefined> {
  const link = await deps.links.findLink(hashToken(token));
  if (link === undefined || link.expires_at <= deps.now()) return undefined;
  if (isFirst(link) && (await deps.memberships.countOwners(link.account_id)) > 0) return undefined;
  const { account_id, invited_by } = link;
  if (invited_by === undefined) return link;
  const inviter = await deps.memberships.findMembership(account_id, invited_by);
  return isInviterGone(link, inviter) ? undefined : link;
}

/** Grants a user what a link offers. */
async function join(deps: RouteDeps, { user_id, operator }: User, link: Link): Promise<void> {
  const { memberships, users, now } = deps;
  const { account_id, role } = link;
  const { status } = await memberships.insertMembership({ account_id, user_id, role, created_at: now() });
  // A member of an account without owners: only this link can make them an owner.
  if (status === 'exists' && isFirst(link)) await memberships.setRole(account_id, user_id, role);
  if (makesOperator(link) && !operator) await users.setOperator(user_id, true);
}

/** The audited change. */
function joinedDeed({ user_id, email }: User, { role }: Link): Deed {
  return { action: 'member.joined', target: { id: user_id, name: email }, detail: role };
}

async function isMember(
  { memberships }: RouteDeps,
  { user_id }: User,
  { account_id }: Link,
): Promise<boolean> {
  return (await memberships.findMembership(account_id, user_id)) !== undefined;
}

const isFirst = (link: Link) => link.kind === 'first_owner';
const makesOperator = (link: Link) => isFirst(link) && link.operator === true;
