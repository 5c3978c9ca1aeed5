import { Button } from '@mantine/core';
import { CopyTextButton } from '../../ui/copy-button.tsx';
import dialog from '../../ui/dialog.module.css';
import { SecretText } from '../../ui/secret-text.tsx';

interface SecretShownOnceProps {
  readonly secret: string;
  readonly done: string;
  readonly onDone: () => void;
}

/** Shows the secret of a subscription, once. */
export function SecretShownOnce({ secret, done, onDone }: SecretShownOnceProps) {
  return (
    <div className={dialog.body}>
      <p>
        Your server verifies each message with this secret. It is shown only now; a rotation makes a new one.
      </p>
      <SecretText text={secret} label="Secret" />
      <div className={dialog.row}>
        <CopyTextButton text={secret} what="secret" primary autoFocus />
      </div>
      <div className={dialog.buttons}>
        <Button onClick={onDone}>{done}</Button>
      </div>
    </div>
  );
}
