import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyTextButton } from './copy-button.tsx';
import dialog from './dialog.module.css';
import { Note } from './note.tsx';
import { SecretText } from './secret-text.tsx';
import { useStay } from './use-stay.ts';

interface NewSecretProps {
  readonly secret: string;
  readonly label: string;
  /** Completes the button "Copy …". */
  readonly what: string;
  /** The text above the secret. */
  readonly children: ReactNode;
  /** It is not shown again, so Back stays here. */
  readonly once?: boolean;
  /** The label of the button that leads on. */
  readonly done?: string;
  readonly onDone: () => void;
}

/** The body of a dialog that shows a new secret to copy. */
export function NewSecret(props: NewSecretProps) {
  const { secret, label, what, children, once = false, done = 'Done', onDone } = props;
  const triedToLeave = useStay(once);
  return (
    <div className={dialog.body}>
      <p>{children}</p>
      <SecretText text={secret} label={label} />
      <div className={dialog.row}>
        <CopyTextButton text={secret} what={what} primary autoFocus />
      </div>
      {triedToLeave && (
        <div role="alert">
          <Note tone="warn">Going back would lose the secret. Copy it, then choose “{done}”.</Note>
        </div>
      )}
      <div className={dialog.buttons}>
        <Button onClick={onDone}>{done}</Button>
      </div>
    </div>
  );
}
