import { ActionIcon } from '@mantine/core';
import type { Invite } from '@sluice/contract/dashboard/members';
import { ROUTES } from '@sluice/contract/dashboard/routes';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import table from '../../ui/table.module.css';
import { Tip } from '../../ui/tip.tsx';
import classes from './members.module.css';

interface InviteTableProps {
  readonly invites: readonly Invite[];
  readonly mayChange: boolean;
}

export function InviteTable({ invites, mayChange }: InviteTableProps) {
  const [withdrawing, setWithdrawing] = useState<Invite | null>(null);
  const withdraw = useWrite(ROUTES.members.withdrawInvite, [ROUTES.members.list]);
  const onConfirm = () => {
    if (withdrawing === null) return;
    withdraw.mutate(
      { params: { inviteId: withdrawing.invite_id } },
      { onSuccess: () => setWithdrawing(null) },
    );
  };
  return (
    <>
      <table className={table.table}>
        <thead>
          <tr>
            <th>For</th>
            <th>Role</th>
            <th>Made</th>
            <th>Expires</th>
            {mayChange && <th className={table.end}>Withdraw</th>}
          </tr>
        </thead>
        <tbody>
          {invites.map((invite) => (
            <tr key={invite.invite_id}>
              <td className={classes.name}>{invite.email ?? 'Whoever has the link'}</td>
              <td data-label="Role">{invite.role}</td>
              <td data-label="Made">
                <Ago at={invite.created_at} />
              </td>
              <td data-label="Expires">
                <Ago at={invite.expires_at} />
              </td>
              {mayChange && (
                <td className={`${table.end} ${table.corner}`}>
                  <Tip label="Withdraw invitation">
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={`Withdraw the invitation of ${invite.email ?? 'whoever has the link'}`}
                      onClick={() => setWithdrawing(invite)}
                    >
                      <Icon name="trash" />
                    </ActionIcon>
                  </Tip>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <ConfirmDialog
        opened={withdrawing !== null}
        title="Withdraw this invitation?"
        confirm="Withdraw invitation"
        pending={withdraw.isPending}
        error={withdraw.error}
        onConfirm={onConfirm}
        onClose={() => setWithdrawing(null)}
      >
        <p>Its link stops working at once.</p>
      </ConfirmDialog>
    </>
  );
}
