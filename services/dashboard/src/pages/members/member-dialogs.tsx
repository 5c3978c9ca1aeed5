import type { Role } from '@sluice/contract/account/roles';
import type { Invite, Member } from '@sluice/dashboard-api/members';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useWrite } from '../../api/queries.ts';
import { ConfirmDialog } from '../../ui/dialog-parts.tsx';

const EFFECTS: Record<Role, string> = {
  viewer: 'Viewers cannot see secrets or change anything.',
  admin: 'Admins can see secrets and change sources and keys, but not members.',
  owner: 'Owners can do everything, including managing members.',
};

interface ChangeRoleDialogProps {
  readonly member: Member;
  readonly role: Role;
  readonly onClose: () => void;
}

export function ChangeRoleDialog({ member, role, onClose }: ChangeRoleDialogProps) {
  const change = useWrite(ROUTES.members.changeRole, [ROUTES.members.list, ROUTES.session.me]);
  return (
    <ConfirmDialog
      opened
      title={`Make ${member.email} ${role === 'viewer' ? 'a' : 'an'} ${role}?`}
      confirm="Change role"
      danger={false}
      change={change}
      onConfirm={() =>
        change.mutate({ params: { userId: member.user_id }, body: { role } }, { onSuccess: onClose })
      }
      onClose={onClose}
    >
      <p>{EFFECTS[role]} Takes effect immediately.</p>
    </ConfirmDialog>
  );
}

interface RemoveMemberDialogProps {
  readonly member: Member;
  readonly onClose: () => void;
}

export function RemoveMemberDialog({ member, onClose }: RemoveMemberDialogProps) {
  const remove = useWrite(ROUTES.members.remove, [ROUTES.members.list, ROUTES.session.me]);
  return (
    <ConfirmDialog
      opened
      title={`Remove ${member.email}?`}
      confirm="Remove member"
      change={remove}
      onConfirm={() => remove.mutate({ params: { userId: member.user_id } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        {member.self ? 'You lose' : 'They lose'} access to this account immediately, on every device.{' '}
        {member.self ? 'Your' : 'Their'} open invitations stop working. API keys and sources do not change.
      </p>
    </ConfirmDialog>
  );
}

interface WithdrawInviteDialogProps {
  readonly invite: Invite;
  readonly onClose: () => void;
}

export function WithdrawInviteDialog({ invite, onClose }: WithdrawInviteDialogProps) {
  const withdraw = useWrite(ROUTES.members.withdrawInvite, [ROUTES.members.list]);
  return (
    <ConfirmDialog
      opened
      title="Withdraw this invitation?"
      confirm="Withdraw invitation"
      change={withdraw}
      onConfirm={() => withdraw.mutate({ params: { inviteId: invite.invite_id } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>Its link stops working now.</p>
    </ConfirmDialog>
  );
}
