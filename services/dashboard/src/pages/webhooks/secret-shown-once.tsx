import { ShownOnce } from '../../ui/secrets.tsx';

interface SecretShownOnceProps {
  readonly secret: string;
  readonly done?: string;
  readonly onDone: () => void;
}

/** Shows the secret of a subscription, once. */
export function SecretShownOnce({ secret, ...props }: SecretShownOnceProps) {
  return (
    <ShownOnce
      {...props}
      text={secret}
      label="Secret"
      what="secret"
      intro={
        <p>
          Your server verifies each message with this secret. It is shown only now; a rotation makes a new
          one.
        </p>
      }
      lost="the secret"
    />
  );
}
