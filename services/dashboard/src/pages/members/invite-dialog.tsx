import { NativeSelect, TextInput } from '@mantine/core';
import { ROLES, type Role } from '@sluice/contract/account/roles';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { fieldError } from '../../api/api-error.ts';
import { useWrite } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import { Form } from '../../ui/form.tsx';
import { Modal } from '../../ui/modal.tsx';
import { ShownOnce } from '../../ui/secrets.tsx';

/**
 * Creates a one-time link for the inviter to share; no mail is sent. While the link is shown, Escape and Back cannot
 * lose it.
 */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const invite = useWrite(ROUTES.members.invite, [ROUTES.members.list]);
  if (invite.data !== undefined) {
    const { url, invite: made } = invite.data;
    return (
      <Modal opened onClose={onClose} title="Share this link" size="md" closable={false}>
        <ShownOnce
          text={url}
          what="invitation link"
          label="Invitation link"
          intro={
            <p>
              It works once, for {made.email ?? 'the first person to open it'}, and expires{' '}
              <Ago at={made.expires_at} />. It is not shown again.
            </p>
          }
          lost="the link"
          onDone={onClose}
        />
      </Modal>
    );
  }
  return (
    <Modal opened onClose={onClose} title="Invite a member" size="md" closable={!invite.isPending}>
      <Form
        submit="Create link"
        change={invite}
        shown={['/email']}
        onSubmit={(text) =>
          invite.mutate({ body: { role: text('role') as Role, email: text('email') || null } })
        }
        onCancel={onClose}
      >
        <NativeSelect
          name="role"
          label="Role"
          description="Viewers cannot see secrets or change anything. Admins manage sources and keys. Owners also manage members."
          data={[...ROLES]}
          defaultValue="admin"
          data-autofocus
        />
        <TextInput
          name="email"
          type="email"
          label="Email (optional)"
          description="Only this address can use the link"
          error={fieldError(invite.error, '/email')}
        />
      </Form>
    </Modal>
  );
}
