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
          at once, on every replica. You can choose there to have it accepted for 1 hour or 24 hours more.
        </p>
        <Usage source={source} />
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

/** How much traffic the rotation will meet. */
function Usage({ source: { source_id: sourceId } }: { readonly source: Source }) {
  const { data } = useRead(ROUTES.sources.show, { params: { sourceId } });
  if (data === undefined) return null;
  const { accepted_24h: accepted, last_delivery_at: last } = data;
  if (last === null) return <p>No request has come so far.</p>;
  return (
    <p>
      {accepted === 1 ? '1 request was' : `${accepted.toLocaleString('en')} requests were`} accepted in the
      last 24 hours; the last delivery came <Ago at={last} />.
    </p>
  );
}
