import { NativeSelect } from '@mantine/core';
import { ROLES, type Role } from '@sluice/contract/account/roles';
import type { Invite, Member } from '@sluice/dashboard-api/members';
import { useState } from 'react';
import { Ago } from '../../ui/ago.tsx';
import { Chip } from '../../ui/chip.tsx';
import { EmailText } from '../../ui/email-text.tsx';
import table from '../../ui/table.module.css';
import { RowAction, Table } from '../../ui/table.tsx';
import { ChangeRoleDialog, RemoveMemberDialog, WithdrawInviteDialog } from './member-dialogs.tsx';

interface MemberTableProps {
  readonly members: readonly Member[];
  readonly mayChange: boolean;
}

export function MemberTable({ members, mayChange }: MemberTableProps) {
  const [changing, setChanging] = useState<{ member: Member; role: Role } | null>(null);
  const [removing, setRemoving] = useState<Member | null>(null);
  const showsTwoFactor = members.some(({ two_factor }) => two_factor !== null);
  return (
    <>
      <Table
        items={members}
        keyOf={({ user_id }) => user_id}
        columns={[
          {
            head: 'Member',
            label: null,
            cell: ({ name, email, self }) => (
              <span className="stack-tiny">
                <span className="strong">
                  {name || email} {self && <Chip tone="info">you</Chip>}
                </span>
                <span className="dimmed small">
                  <EmailText text={email} />
                </span>
              </span>
            ),
          },
          {
            head: 'Role',
            cell: (member) =>
              mayChange ? (
                <NativeSelect
                  aria-label={`Role of ${member.email}`}
                  size="xs"
                  data={[...ROLES]}
                  value={member.role}
                  onChange={(event) => setChanging({ member, role: event.currentTarget.value as Role })}
                />
              ) : (
                member.role
              ),
          },
          showsTwoFactor && {
            head: 'Two-factor',
            cell: ({ two_factor }) => (
              <Chip tone={two_factor ? 'ok' : 'quiet'}>{two_factor ? 'on' : 'off'}</Chip>
            ),
          },
          { head: 'Joined', cell: ({ joined_at }) => <Ago at={joined_at} /> },
          mayChange && {
            head: 'Remove',
            label: null,
            end: true,
            className: table.corner,
            cell: (member) => (
              <RowAction
                tip={member.self ? 'Leave the account' : 'Remove member'}
                label={`Remove ${member.email}`}
                icon="trash"
                atEdge
                onClick={() => setRemoving(member)}
              />
            ),
          },
        ]}
      />
      {changing !== null && <ChangeRoleDialog {...changing} onClose={() => setChanging(null)} />}
      {removing !== null && <RemoveMemberDialog member={removing} onClose={() => setRemoving(null)} />}
    </>
  );
}

interface InviteTableProps {
  readonly invites: readonly Invite[];
  readonly mayChange: boolean;
}

export function InviteTable({ invites, mayChange }: InviteTableProps) {
  const [withdrawing, setWithdrawing] = useState<Invite | null>(null);
  return (
    <>
      <Table
        items={invites}
        keyOf={({ invite_id }) => invite_id}
        columns={[
          {
            head: 'For',
            label: null,
            className: 'strong',
            cell: ({ email }) => (email === null ? 'Anyone with the link' : <EmailText text={email} />),
          },
          { head: 'Role', cell: ({ role }) => role },
          { head: 'Created', cell: ({ created_at }) => <Ago at={created_at} /> },
          { head: 'Expires', cell: ({ expires_at }) => <Ago at={expires_at} /> },
          mayChange && {
            head: 'Withdraw',
            label: null,
            end: true,
            className: table.corner,
            cell: (invite) => (
              <RowAction
                tip="Withdraw invitation"
                label={`Withdraw the invitation for ${invite.email ?? 'anyone with the link'}`}
                icon="trash"
                atEdge
                onClick={() => setWithdrawing(invite)}
              />
            ),
          },
        ]}
      />
      {withdrawing !== null && (
        <WithdrawInviteDialog invite={withdrawing} onClose={() => setWithdrawing(null)} />
      )}
    </>
  );
}
