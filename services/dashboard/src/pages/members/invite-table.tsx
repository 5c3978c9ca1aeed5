import type { Invite } from '@sluice/dashboard-api/members';
import { useState } from 'react';
import { Ago } from '../../ui/ago.tsx';
import { EmailText } from '../../ui/email-text.tsx';
import table from '../../ui/table.module.css';
import { TrashCell } from '../../ui/trash-cell.tsx';
import { WithdrawInviteDialog } from './member-dialogs.tsx';
import classes from './members.module.css';

interface InviteTableProps {
  readonly invites: readonly Invite[];
  readonly mayChange: boolean;
}

export function InviteTable({ invites, mayChange }: InviteTableProps) {
  const [withdrawing, setWithdrawing] = useState<Invite | null>(null);
  return (
    <>
      <table className={table.table}>
        <thead>
          <tr>
            <th>For</th>
            <th>Role</th>
            <th>Created</th>
            <th>Expires</th>
            {mayChange && <th className={table.end}>Withdraw</th>}
          </tr>
        </thead>
        <tbody>
          {invites.map((invite) => (
            <tr key={invite.invite_id}>
              <td className={classes.name}>
                {invite.email === null ? 'Anyone with the link' : <EmailText text={invite.email} />}
              </td>
              <td data-label="Role">{invite.role}</td>
              <td data-label="Created">
                <Ago at={invite.created_at} />
              </td>
              <td data-label="Expires">
                <Ago at={invite.expires_at} />
              </td>
              {mayChange && (
                <TrashCell
                  tip="Withdraw invitation"
                  label={`Withdraw the invitation for ${invite.email ?? 'anyone with the link'}`}
                  onClick={() => setWithdrawing(invite)}
                />
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {withdrawing !== null && (
        <WithdrawInviteDialog invite={withdrawing} onClose={() => setWithdrawing(null)} />
      )}
    </>
  );
}
