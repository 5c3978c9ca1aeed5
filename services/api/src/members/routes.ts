import { formatInstant } from '@sluice/contract/instant';
import { mayActAs } from '@sluice/contract/roles';
import {
  changeRole,
  type Invite,
  type Member,
  newInvite,
  requireTwoFactor,
} from '@sluice/dashboard-api/members';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { createInvite, isInviterGone, welcomeUrl } from '@sluice/management/create-link';
import type { Accounts } from '@sluice/store/accounts';
import type { Link, Links } from '@sluice/store/links';
import type { Membership, Memberships } from '@sluice/store/memberships';
import type { Sessions } from '@sluice/store/sessions';
import type { User, Users } from '@sluice/store/users';
import type { Audit } from '../audit/record.ts';
import type { Binder } from '../http/bind.ts';
import { done, notFound, refuse } from '../http/result.ts';
import type { SignedIn } from '../http/signed-in.ts';
import { changeRoleOf, LAST_OWNER, removeMember } from './change-member.ts';

export interface MemberRoutesDeps {
  readonly accounts: Pick<Accounts, 'findAccount' | 'setTwoFactorRequired'>;
  readonly memberships: Memberships;
  readonly users: Pick<Users, 'findUser' | 'findUsers'>;
  readonly links: Links;
  readonly sessions: Pick<Sessions, 'endSessions'>;
  readonly apiUrl: string;
  readonly audit: Audit;
  readonly now: () => number;
}

const SET_UP_YOURS = refuse(
  'conflict',
  'Set up two-factor sign-in for yourself first, under Password and sessions.',
);

/** The members of the account: list, invite, change a role, remove. */
export function memberRoutes({ guarded }: Binder, deps: MemberRoutesDeps): void {
  const { accounts, memberships, users, links, audit, now } = deps;
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
    const invited = { accountId: who.accountId, role: body.role, email, invitedBy: who.user.user_id };
    const { token, link } = await createInvite(deps, invited);
    const target = { id: link.link_id, name: email ?? 'anyone with the link' };
    await audit(who, request, { action: 'member.invited', target, detail: body.role });
    return done({ invite: describeInvite(link), url: welcomeUrl(deps.apiUrl, token) });
  });

  guarded(routes.withdrawInvite, {}, async ({ who, params, request }) => {
    const link = await links.withdrawInvite(who.accountId, params.inviteId as string);
    if (link === undefined) return notFound('invitation');
    const target = { id: link.link_id, name: link.email ?? 'anyone with the link' };
    await audit(who, request, { action: 'member.invite_withdrawn', target });
    return done(null);
  });

  guarded(routes.changeRole, { body: changeRole }, async ({ who, params, body: { role }, request }) => {
    const changed = await changeRoleOf(memberships, who.accountId, params.userId as string, role);
    if (changed.status === 'not_found') return notFound('member');
    if (changed.status === 'last_owner') return LAST_OWNER;
    const user = await users.findUser(changed.before.user_id);
    if (user === undefined) return notFound('member');
    const detail = `${changed.before.role} -> ${role}`;
    const target = { id: user.user_id, name: user.email };
    await audit(who, request, { action: 'member.role_changed', target, detail });
    return done(describeMember({ ...changed.before, role }, user, who));
  });

  guarded(
    routes.requireTwoFactor,
    { body: requireTwoFactor },
    async ({ who, body: { required }, request }) => {
      if (required && who.user.two_factor === undefined) return SET_UP_YOURS;
      await accounts.setTwoFactorRequired(who.accountId, required);
      const account = await accounts.findAccount(who.accountId);
      const target = { id: who.accountId, name: account?.name ?? who.accountId };
      const detail = required ? 'required for owners and admins' : 'not required';
      await audit(who, request, { action: 'account.two_factor_changed', target, detail });
      return done(null);
    },
  );

  guarded(routes.remove, {}, async ({ who, params, request }) => {
    const userId = params.userId as string;
    const user = await users.findUser(userId);
    const removed = await removeMember(deps, who.accountId, userId);
    if (removed.status === 'not_found') return notFound('member');
    if (removed.status === 'last_owner') return LAST_OWNER;
    const target = { id: userId, name: user?.email ?? userId };
    await audit(who, request, { action: 'member.removed', target, detail: removed.before.role });
    return done(null);
  });
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
