import type { Deed } from '@sluice/accounts/audit/audited';
import { createInvite, isInviterGone, welcomeUrl } from '@sluice/accounts/people/create-link';
import { mayActAs, type Role } from '@sluice/contract/account/roles';
import { formatInstant } from '@sluice/contract/time/instant';
import {
  changeRole,
  type Invite,
  type Member,
  newInvite,
  requireTwoFactor,
} from '@sluice/dashboard-api/members';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Link } from '@sluice/store/accounts/links';
import type { Membership, Memberships } from '@sluice/store/accounts/memberships';
import type { Sessions } from '@sluice/store/users/sessions';
import type { User } from '@sluice/store/users/users';
import { refuseOneMore } from '../http/account-limits.ts';
import type { Binder } from '../http/bind.ts';
import { done, notFound, refuse } from '../http/result.ts';
import type { SignedIn } from '../http/signed-in.ts';
import type { RouteDeps } from '../parts.ts';

const SET_UP_YOURS = refuse(
  'conflict',
  'Set up two-factor sign-in for yourself first, under Password and sessions.',
);

/** The members of the account: list, invite, change a role, remove. */
export function memberRoutes({ guarded }: Binder, deps: RouteDeps): void {
  const { accounts, memberships, users, links, audited, now } = deps;
  const routes = ROUTES.members;

  guarded(routes.list, {}, async ({ who }) => {
    const [all, invites] = await Promise.all([
      memberships.listMembers(who.accountId),
      links.listInvites(who.accountId),
    ]);
    const people = new Map(
      (await users.findUsers(all.map(({ user_id }) => user_id))).map((user) => [user.user_id, user]),
    );
    const items = all.flatMap((membership) => {
      const user = people.get(membership.user_id);
      return user === undefined ? [] : [describeMember(membership, user, who)];
    });
    const inviterOf = ({ invited_by }: Link) => all.find(({ user_id }) => user_id === invited_by);
    const open = invites.filter((link) => link.expires_at > now() && !isInviterGone(link, inviterOf(link)));
    return done({ items, invites: open.map(describeInvite) });
  });

  guarded(routes.invite, { body: newInvite }, async ({ who, body, request }) => {
    const email = body.email ?? null;
    const invites = await links.listInvites(who.accountId);
    const open = invites.filter(({ expires_at }) => expires_at > now());
    const tooMany = refuseOneMore('open invitations', open.length);
    if (tooMany !== undefined) return tooMany;
    const invited = { accountId: who.accountId, role: body.role, email, invitedBy: who.user.user_id };
    const deedOn = (id: string): Deed => ({
      ...{ action: 'member.invited', target: { id, name: nameOf({ email }) }, detail: body.role },
    });
    const { token, link } = await audited(who, request, {
      // The invitation has no id yet.
      intent: deedOn(who.accountId),
      work: () => createInvite(deps, invited),
      deed: (made) => deedOn(made.link.link_id),
    });
    return done({ invite: describeInvite(link), url: welcomeUrl(deps.apiUrl, token) });
  });

  guarded(routes.withdrawInvite, {}, async ({ who, params, request }) => {
    const open = await links.listInvites(who.accountId);
    const link = open.find(({ link_id }) => link_id === params.inviteId);
    if (link === undefined) return notFound('invitation');
    const target = { id: link.link_id, name: nameOf(link) };
    const deed = { action: 'member.invite_withdrawn', target } as const;
    const withdrawn = await audited(who, request, {
      intent: deed,
      work: () => links.withdrawInvite(who.accountId, link.link_id),
      deed: (one) => one && deed,
    });
    return withdrawn === undefined ? notFound('invitation') : done(null);
  });

  /** The user is undefined if it was deleted while its membership stayed. */
  const findMember = async ({ accountId }: SignedIn, userId: string) => {
    const [membership, user] = await Promise.all([
      memberships.findMembership(accountId, userId),
      users.findUser(userId),
    ]);
    return membership && { membership, user, target: { id: userId, name: user?.email ?? userId } };
  };

  guarded(routes.changeRole, { body: changeRole }, async ({ who, params, body: { role }, request }) => {
    const found = await findMember(who, params.userId as string);
    if (found?.user === undefined) return notFound('member');
    const { user, membership, target } = found;
    const deedOf = (before: Membership): Deed => ({
      ...{ action: 'member.role_changed', target, detail: `${before.role} -> ${role}` },
    });
    const changed = await audited(who, request, {
      intent: deedOf(membership),
      work: () => changeRoleOf(memberships, who.accountId, user.user_id, role),
      deed: (result) => (result.status === 'changed' ? deedOf(result.before) : undefined),
    });
    if (changed.status === 'not_found') return notFound('member');
    if (changed.status === 'last_owner') return LAST_OWNER;
    return done(describeMember({ ...changed.before, role }, user, who));
  });

  guarded(
    routes.requireTwoFactor,
    { body: requireTwoFactor },
    async ({ who, body: { required }, request }) => {
      if (required && who.user.two_factor === undefined) return SET_UP_YOURS;
      const account = await accounts.findAccount(who.accountId);
      const target = { id: who.accountId, name: account?.name ?? who.accountId };
      const detail = required ? 'required for owners and admins' : 'not required';
      const deed = { action: 'account.two_factor_changed', target, detail } as const;
      await audited(who, request, {
        intent: deed,
        work: () => accounts.setTwoFactorRequired(who.accountId, required),
        deed: () => deed,
      });
      return done(null);
    },
  );

  guarded(routes.remove, {}, async ({ who, params, request }) => {
    const found = await findMember(who, params.userId as string);
    if (found === undefined) return notFound('member');
    const { membership, target } = found;
    const deedOf = ({ role }: Membership): Deed => ({ action: 'member.removed', target, detail: role });
    const removed = await audited(who, request, {
      intent: deedOf(membership),
      work: () => removeMember(deps, who.accountId, membership.user_id),
      deed: (result) => (result.status === 'changed' ? deedOf(result.before) : undefined),
    });
    if (removed.status === 'not_found') return notFound('member');
    return removed.status === 'last_owner' ? LAST_OWNER : done(null);
  });
}

function nameOf({ email }: Pick<Link, 'email'>): string {
  return email ?? 'anyone with the link';
}

function describeMember(
  { role, created_at }: Membership,
  { user_id, email, name, two_factor }: User,
  who: SignedIn,
): Member {
  return {
    user_id,
    email,
    name,
    role,
    self: user_id === who.user.user_id,
    two_factor: mayActAs(who.role, 'admin') ? two_factor !== undefined : null,
    joined_at: formatInstant(created_at),
  };
}

function describeInvite({ link_id, email, role, created_at, expires_at }: Link): Invite {
  return {
    invite_id: link_id,
    email,
    role,
    created_at: formatInstant(created_at),
    expires_at: formatInstant(expires_at),
  };
}

type MemberChanged =
  | { readonly status: 'changed'; readonly before: Membership }
  | { readonly status: 'not_found' }
  /** The member is the only owner. Nothing was changed. */
  | { readonly status: 'last_owner' };

const LAST_OWNER = refuse('last_owner', 'An account must have an owner. Make another member an owner first.');

/**
 * Checked before anything changes, so that an account with one owner always has one. Otherwise the owner's other
 * requests would fail for a moment, and permanently if this process died in between.
 */
async function isLastOwner(memberships: Memberships, accountId: string, userId: string): Promise<boolean> {
  const found = await memberships.findMembership(accountId, userId);
  return found?.role === 'owner' && (await memberships.countOwners(accountId)) === 1;
}

/**
 * Changes the role first, then counts owners, and restores the role if no owner is left. If two owners demote each
 * other at once, both see it and both are restored. If it counted first, both changes would succeed.
 */
async function changeRoleOf(
  memberships: Memberships,
  accountId: string,
  userId: string,
  role: Role,
): Promise<MemberChanged> {
  if (role !== 'owner' && (await isLastOwner(memberships, accountId, userId)))
    return { status: 'last_owner' };
  const before = await memberships.setRole(accountId, userId, role);
  if (before === undefined) return { status: 'not_found' };
  if (before.role !== 'owner' || role === 'owner') return { status: 'changed', before };
  if ((await memberships.countOwners(accountId)) > 0) return { status: 'changed', before };
  await memberships.setRole(accountId, userId, 'owner');
  return { status: 'last_owner' };
}

/** Removes a member from the account and ends their sessions in it. */
async function removeMember(
  { memberships, sessions }: { memberships: Memberships; sessions: Pick<Sessions, 'endSessions'> },
  accountId: string,
  userId: string,
): Promise<MemberChanged> {
  if (await isLastOwner(memberships, accountId, userId)) return { status: 'last_owner' };
  const before = await memberships.removeMembership(accountId, userId);
  if (before === undefined) return { status: 'not_found' };
  if (before.role === 'owner' && (await memberships.countOwners(accountId)) === 0) {
    await memberships.insertMembership(before);
    return { status: 'last_owner' };
  }
  await sessions.endSessions({ user_id: userId, account_id: accountId });
  return { status: 'changed', before };
}
