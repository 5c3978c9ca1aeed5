import { Button } from '@mantine/core';
import type { SourceWithActivity } from '@sluice/dashboard-api/sources';
import { Ago } from '../../ui/ago.tsx';
import dialog from '../../ui/dialog.module.css';
import { ErrorNote } from '../../ui/states.tsx';

interface EffectStepProps {
  readonly source: SourceWithActivity;
  readonly pending: boolean;
  readonly error: Error | null;
  readonly onNext: () => void;
  readonly onCancel: () => void;
}

export function EffectStep({ source, pending, error, onNext, onCancel }: EffectStepProps) {
  return (
    <div className={dialog.body}>
      <div className={dialog.effect}>
        <p>
          When you confirm in the last step, requests signed with the current secret get <strong>401</strong>{' '}
          immediately, on every replica. In that step you can also keep the current secret for 1 or 24 more
          hours.
        </p>
        <Usage source={source} />
        <p>
          The next step shows the new secret, so that you can configure the sender first. Nothing changes
          until the last step. You can close this dialog before that.
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

/** Shows how much traffic uses the current secret. */
function Usage({ source }: { readonly source: SourceWithActivity }) {
  const { accepted_24h: accepted, last_delivery_at: last } = source;
  if (last === null) return <p>No requests yet.</p>;
  return (
    <p>
      {accepted === 1 ? '1 request was' : `${accepted.toLocaleString('en')} requests were`} accepted in the
      last 24 hours. The last delivery arrived <Ago at={last} />.
    </p>
  );
}
