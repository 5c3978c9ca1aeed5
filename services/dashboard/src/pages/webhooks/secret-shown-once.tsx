import { NewSecret } from '../../ui/new-secret.tsx';

interface SecretShownOnceProps {
  readonly secret: string;
  readonly done?: string;
  readonly onDone: () => void;
}

/** Shows the secret of a subscription, once. */
export function SecretShownOnce(props: SecretShownOnceProps) {
  return (
    <NewSecret {...props} label="Secret" what="secret" once>
      Your server verifies each message with this secret. It is shown only now; a rotation makes a new one.
    </NewSecret>
  );
}
