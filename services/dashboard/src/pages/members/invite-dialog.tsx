import { Button, NativeSelect, TextInput } from '@mantine/core';
import { ROLES, type Role } from '@sluice/contract/roles';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { FormEvent } from 'react';
import { fieldError } from '../../api/api-error.ts';
import { useWrite } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import { CopyTextButton } from '../../ui/copy-button.tsx';
import dialog from '../../ui/dialog.module.css';
import { textOf } from '../../ui/form.ts';
import { FormFoot } from '../../ui/form-foot.tsx';
import { Modal } from '../../ui/modal.tsx';
import { Note } from '../../ui/note.tsx';
import { SecretText } from '../../ui/secret-text.tsx';
import { useStay } from '../../ui/use-stay.ts';

/**
 * Creates a one-time link for the inviter to share; no mail is sent. While the link is shown, Escape and Back cannot
 * lose it.
 */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const invite = useWrite(ROUTES.members.invite, [ROUTES.members.list]);
  const triedToLeave = useStay(invite.data !== undefined);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const email = textOf(form, 'email');
    invite.mutate({ body: { role: textOf(form, 'role') as Role, email: email === '' ? null : email } });
  };
  const emailError = fieldError(invite.error, '/email');
  if (invite.data !== undefined) {
    const { url, invite: made } = invite.data;
    return (
      <Modal opened onClose={onClose} title="Share this link" size="md" closable={false}>
        <div className={dialog.body}>
          <p>
            It works once, for {made.email ?? 'the first person to open it'}, and expires{' '}
            <Ago at={made.expires_at} />. It is not shown again.
          </p>
          <SecretText text={url} label="Invitation link" />
          {triedToLeave && (
            <div role="alert">
              <Note tone="warn">Going back would lose the link. Copy it, then choose “Done”.</Note>
            </div>
          )}
          <div className={dialog.buttons}>
            <CopyTextButton text={url} what="invitation link" primary autoFocus />
            <Button variant="default" onClick={onClose}>
              Done
            </Button>
          </div>
        </div>
      </Modal>
    );
  }
  return (
    <Modal opened onClose={onClose} title="Invite a member" size="md" closable={!invite.isPending}>
      <form className={dialog.body} onSubmit={onSubmit}>
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
          error={emailError}
        />
        <FormFoot
          submit="Create link"
          pending={invite.isPending}
          error={emailError === undefined ? invite.error : null}
          onCancel={onClose}
        />
      </form>
    </Modal>
  );
}
