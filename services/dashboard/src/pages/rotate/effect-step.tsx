import { Button } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Source } from '@sluice/dashboard-api/sources';
import { useRead } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import dialog from '../../ui/dialog.module.css';
import { ErrorNote } from '../../ui/states.tsx';

interface EffectStepProps {
  readonly source: Source;
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
function Usage({ source: { source_id: sourceId } }: { readonly source: Source }) {
  const { data } = useRead(ROUTES.sources.show, { params: { sourceId } });
  if (data === undefined) return null;
  const { accepted_24h: accepted, last_delivery_at: last } = data;
  if (last === null) return <p>No requests yet.</p>;
  return (
    <p>
      {accepted === 1 ? '1 request was' : `${accepted.toLocaleString('en')} requests were`} accepted in the
      last 24 hours. The last delivery arrived <Ago at={last} />.
    </p>
  );
}
