import type { Role } from '@sluice/contract/account/roles';
import { DAY_MS } from '@sluice/contract/time/durations';
import { newId } from '@sluice/credentials/ids';
import { newToken } from '@sluice/credentials/token';
import type { Accounts } from '@sluice/store/accounts/accounts';
import type { Link, Links } from '@sluice/store/accounts/links';
import type { Membership, Memberships } from '@sluice/store/accounts/memberships';

export interface CreateLinkDeps {
  readonly links: Pick<Links, 'insertLink' | 'withdrawOwnerLinks'>;
  readonly accounts: Pick<Accounts, 'findAccount'>;
  readonly memberships: Pick<Memberships, 'countOwners'>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** How long an invitation can be used. */
export const INVITE_MS = 7 * DAY_MS;
const OWNER_LINK_MS = DAY_MS;

/** `token` goes into the fragment of `/welcome#token=…`. It is shown once and stored nowhere. */
export interface NewLink {
  readonly token: string;
  readonly link: Link;
}

export type OwnerLinkCreated =
  | ({ readonly status: 'created' } & NewLink)
  /** The account already has an owner, who can invite others. */
  | { readonly status: 'owner_exists' }
  | { readonly status: 'account_not_found' };

/**
 * Creates the one-time link for the first owner of an account. Earlier links become void. `operator` also lets the
 * owner see data across accounts: set it for the operator of the installation, never for a customer.
 */
export async function createOwnerLink(
  deps: CreateLinkDeps,
  accountId: string,
  { operator = false }: { readonly operator?: boolean } = {},
): Promise<OwnerLinkCreated> {
  if ((await deps.accounts.findAccount(accountId)) === undefined) return { status: 'account_not_found' };
  if ((await deps.memberships.countOwners(accountId)) > 0) return { status: 'owner_exists' };
  await deps.links.withdrawOwnerLinks(accountId);
  const made = newLink(
    { kind: 'first_owner', accountId, role: 'owner', email: null },
    deps.now(),
    OWNER_LINK_MS,
  );
  const link: Link = operator ? { ...made.link, operator } : made.link;
  await deps.links.insertLink(link);
  return { status: 'created', token: made.token, link };
}

export interface InviteInput {
  readonly accountId: string;
  readonly role: Role;
  readonly email: string | null;
  /** The owner who invites; undefined: the invitation comes from no member, so no removal can void it. */
  readonly invitedBy?: string;
}

/** Creates the one-time link for a new member. */
export async function createInvite(
  deps: Pick<CreateLinkDeps, 'links' | 'now'>,
  { invitedBy, ...input }: InviteInput,
): Promise<NewLink> {
  const made = newLink({ kind: 'invite', ...input }, deps.now(), INVITE_MS);
  const link: Link = invitedBy === undefined ? made.link : { ...made.link, invited_by: invitedBy };
  await deps.links.insertLink(link);
  return { token: made.token, link };
}

/** Whether the inviter is no longer an owner. This voids the invitation: a removed owner must not rejoin with it. */
export function isInviterGone({ invited_by }: Link, inviter: Pick<Membership, 'role'> | undefined): boolean {
  return invited_by !== undefined && inviter?.role !== 'owner';
}

/** The page that uses a link. The token is in the fragment, which browsers never send to a server. */
export function welcomeUrl(apiUrl: string, token: string): string {
  return `${apiUrl.replace(/\/+$/, '')}/welcome#token=${token}`;
}

function newLink(
  {
    kind,
    accountId,
    role,
    email,
  }: { kind: Link['kind']; accountId: string; role: Role; email: string | null },
  at: number,
  lifetimeMs: number,
): NewLink {
  const { token, hash } = newToken();
  const ids = { token_hash: hash, link_id: newId('inv'), account_id: accountId };
  return { token, link: { ...ids, kind, role, email, created_at: at, expires_at: at + lifetimeMs } };
}
