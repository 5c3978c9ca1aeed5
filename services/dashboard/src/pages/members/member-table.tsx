import { NativeSelect } from '@mantine/core';
import { ROLES, type Role } from '@sluice/contract/roles';
import type { Member } from '@sluice/dashboard-api/members';
import { useState } from 'react';
import { Ago } from '../../ui/ago.tsx';
import { Chip } from '../../ui/chip.tsx';
import { EmailText } from '../../ui/email-text.tsx';
import table from '../../ui/table.module.css';
import { TrashCell } from '../../ui/trash-cell.tsx';
import { ChangeRoleDialog, RemoveMemberDialog } from './member-dialogs.tsx';
import classes from './members.module.css';

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
      <table className={table.table}>
        <thead>
          <tr>
            <th>Member</th>
            <th>Role</th>
            {showsTwoFactor && <th>Two-factor</th>}
            <th>Joined</th>
            {mayChange && <th className={table.end}>Remove</th>}
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <tr key={member.user_id}>
              <td>
                <span className={classes.who}>
                  <span className={classes.name}>
                    {member.name || member.email} {member.self && <Chip tone="info">you</Chip>}
                  </span>
                  <span className="dimmed small">
                    <EmailText text={member.email} />
                  </span>
                </span>
              </td>
              <td data-label="Role">
                {mayChange ? (
                  <NativeSelect
                    aria-label={`Role of ${member.email}`}
                    size="xs"
                    data={[...ROLES]}
                    value={member.role}
                    onChange={(event) => setChanging({ member, role: event.currentTarget.value as Role })}
                  />
                ) : (
                  member.role
                )}
              </td>
              {member.two_factor !== null && (
                <td data-label="Two-factor">
                  <Chip tone={member.two_factor ? 'ok' : 'quiet'}>{member.two_factor ? 'on' : 'off'}</Chip>
                </td>
              )}
              <td data-label="Joined">
                <Ago at={member.joined_at} />
              </td>
              {mayChange && (
                <TrashCell
                  tip={member.self ? 'Leave the account' : 'Remove member'}
                  label={`Remove ${member.email}`}
                  onClick={() => setRemoving(member)}
                />
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {changing !== null && <ChangeRoleDialog {...changing} onClose={() => setChanging(null)} />}
      {removing !== null && <RemoveMemberDialog member={removing} onClose={() => setRemoving(null)} />}
    </>
  );
}
