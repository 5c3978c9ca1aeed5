import { Button } from '@mantine/core';
import dialog from '../../ui/dialog.module.css';
import { ErrorNote } from '../../ui/states.tsx';

interface EffectStepProps {
  readonly pending: boolean;
  readonly error: Error | null;
  readonly onNext: () => void;
  readonly onCancel: () => void;
}

export function EffectStep({ pending, error, onNext, onCancel }: EffectStepProps) {
  return (
    <div className={dialog.body}>
      <div className={dialog.effect}>
        <p>
          When you confirm in the last step, requests signed with the current secret get <strong>401</strong>{' '}
          at once, on every replica.
        </p>
        <p>
          So the sender gets the new secret first: the next step shows it. Nothing changes until the last
          step; you can close this dialog before.
        </p>
      </div>
      {error !== null && <ErrorNote error={error} />}
      <div className={dialog.buttons}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button loading={pending} onClick={onNext} data-autofocus>
          Show the new secret
        </Button>
      </div>
    </div>
  );
}
