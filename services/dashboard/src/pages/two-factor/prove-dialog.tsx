import type { FormEvent, ReactNode } from 'react';
import dialog from '../../ui/dialog.module.css';
import { textOf } from '../../ui/form.ts';
import { FormFoot } from '../../ui/form-foot.tsx';
import { Modal } from '../../ui/modal.tsx';
import { CodeField } from './code-field.tsx';
import { PasswordField } from './password-field.tsx';

interface ProveDialogProps {
  readonly title: string;
  /** The effect of the change. */
  readonly children: ReactNode;
  readonly submit: string;
  readonly pending: boolean;
  readonly error: Error | null;
  readonly onProve: (proof: { readonly password: string; readonly code: string }) => void;
  readonly onClose: () => void;
}

/** Asks for password and code before a change that weakens sign-in. */
export function ProveDialog(props: ProveDialogProps) {
  const { title, children, submit, pending, error, onProve, onClose } = props;
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    onProve({ password: textOf(form, 'password'), code: textOf(form, 'code') });
  };
  return (
    <Modal opened onClose={onClose} title={title} size="md" closable={!pending}>
      <form className={dialog.body} onSubmit={onSubmit}>
        <p>{children}</p>
        <PasswordField autoFocus />
        <CodeField description="From your authenticator app, or a recovery code." />
        <FormFoot submit={submit} pending={pending} error={error} onCancel={onClose} />
      </form>
    </Modal>
  );
}
