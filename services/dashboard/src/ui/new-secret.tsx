import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyTextButton } from './copy-button.tsx';
import dialog from './dialog.module.css';
import { SecretText } from './secret-text.tsx';

interface NewSecretProps {
  readonly secret: string;
  readonly label: string;
  /** Completes the button "Copy …". */
  readonly what: string;
  /** The text above the secret. */
  readonly children: ReactNode;
  /** The label of the button that leads on. */
  readonly done?: string;
  readonly onDone: () => void;
}

/** The body of a dialog that shows a new secret to copy. */
export function NewSecret({ secret, label, what, children, done = 'Done', onDone }: NewSecretProps) {
  return (
    <div className={dialog.body}>
      <p>{children}</p>
      <SecretText text={secret} label={label} />
      <div className={dialog.row}>
        <CopyTextButton text={secret} what={what} primary autoFocus />
      </div>
      <div className={dialog.buttons}>
        <Button onClick={onDone}>{done}</Button>
      </div>
    </div>
  );
}
