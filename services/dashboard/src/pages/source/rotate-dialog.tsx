import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { Overlap } from '@sluice/contract/account/overlap';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { RotationPrepared, Source, SourceWithActivity } from '@sluice/dashboard-api/sources';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { SECRET_VARIABLE } from '../../samples/sample.ts';
import { Ago } from '../../ui/ago.tsx';
import { Checkbox } from '../../ui/checkbox.ts';
import dialog from '../../ui/dialog.module.css';
import { type Change, Form } from '../../ui/form.tsx';
import { isNameTyped } from '../../ui/is-name-typed.ts';
import { Modal } from '../../ui/modal.tsx';
import { OVERLAP_CHOICES, SecretToCopy } from '../../ui/secrets.tsx';
import { ErrorNote, Note } from '../../ui/states.tsx';
import { counted } from '../../ui/words.ts';
import { ENDPOINTS_SHOWN, kindOf } from './endpoint.ts';
import { LiveCheck } from './live-check.tsx';

interface RotateDialogProps {
  readonly source: SourceWithActivity;
  readonly onClose: () => void;
}

type Stage = 'effect' | 'configure' | 'rotate' | 'check';
const TITLES: Record<Stage, string> = {
  effect: 'Rotate secret · 1 of 3: what happens',
  configure: 'Rotate secret · 2 of 3: configure the sender',
  rotate: 'Rotate secret · 3 of 3: confirm',
  check: 'The new secret is active',
};

/**
 * The sender needs the new secret before the old one stops (docs/sending-events.md). So the dialog first shows it, and
 * changes nothing until the last button. Closing it earlier has no effect.
 */
export function RotateDialog({ source, onClose }: RotateDialogProps) {
  const [stage, setStage] = useState<Stage>('effect');
  const prepare = useWrite(ROUTES.sources.prepareRotation);
  const confirm = useWrite(ROUTES.sources.confirmRotation, ENDPOINTS_SHOWN);
  const params = { sourceId: source.source_id };
  const prepared = prepare.data;
  const rotateNow = (token: string, overlap: Overlap) =>
    confirm.mutate(
      { params, body: { rotation_token: token, overlap } },
      { onSuccess: () => setStage('check') },
    );
  return (
    <Modal opened onClose={onClose} title={TITLES[stage]} size="lg" closeOnClickOutside={stage === 'effect'}>
      {stage === 'effect' && (
        <EffectStep
          source={source}
          change={prepare}
          onNext={() => prepare.mutate({ params }, { onSuccess: () => setStage('configure') })}
          onCancel={onClose}
        />
      )}
      {stage === 'configure' && prepared !== undefined && (
        <ConfigureStep prepared={prepared} onNext={() => setStage('rotate')} onCancel={onClose} />
      )}
      {stage === 'rotate' && prepared !== undefined && (
        <RotateStep
          source={source}
          change={confirm}
          onBack={() => setStage('configure')}
          onRotate={(overlap) => rotateNow(prepared.rotation_token, overlap)}
        />
      )}
      {stage === 'check' && confirm.data !== undefined && (
        <LiveCheck source={confirm.data} onDone={onClose} />
      )}
    </Modal>
  );
}

interface EffectStepProps {
  readonly source: SourceWithActivity;
  readonly change: Change;
  readonly onNext: () => void;
  readonly onCancel: () => void;
}

function EffectStep({ source, change, onNext, onCancel }: EffectStepProps) {
  return (
    <div className="stack">
      <div className="stack-small breaks">
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
      {change.error !== null && <ErrorNote error={change.error} />}
      <div className={dialog.buttons}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button loading={change.isPending} onClick={onNext} data-autofocus>
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
      {counted(accepted, 'request was', 'requests were')} accepted in the last 24 hours. The last delivery
      arrived <Ago at={last} />.
    </p>
  );
}

interface ConfigureStepProps {
  readonly prepared: RotationPrepared;
  readonly onNext: () => void;
  readonly onCancel: () => void;
}

function ConfigureStep({ prepared, onNext, onCancel }: ConfigureStepProps) {
  const {
    signing_secret: secret,
    accepted_24h: accepted,
    last_delivery_at: last,
    expires_at: until,
  } = prepared;
  return (
    <div className="stack">
      <Note tone="info">
        The new secret is <strong>not active yet</strong>. The current one works until you confirm in the next
        step.
      </Note>
      <SecretToCopy
        text={secret}
        label="New signing secret"
        what="new secret"
        file={{
          name: 'sluice-signing-secret.env',
          text: `${SECRET_VARIABLE}=${secret}\n`,
          label: 'Download .env',
        }}
      />
      <p className="dimmed">
        {counted(accepted, 'request')} used the current secret in the last 24 hours.{' '}
        {last !== null && (
          <>
            The last delivery arrived <Ago at={last} />.{' '}
          </>
        )}
        Confirm the new secret before{' '}
        <time dateTime={until}>{new Date(until).toLocaleTimeString('en-GB')}</time>.
      </p>
      <div className={dialog.buttons}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button onClick={onNext}>Next</Button>
      </div>
    </div>
  );
}

interface RotateStepProps {
  readonly source: Source;
  readonly change: Change;
  readonly onBack: () => void;
  readonly onRotate: (overlap: Overlap) => void;
}

/** Asks for two deliberate actions, so that no single key or click can cut off a sender. */
function RotateStep({ source, change, onBack, onRotate }: RotateStepProps) {
  const [configured, setConfigured] = useState(false);
  const [typed, setTyped] = useState('');
  const [overlap, setOverlap] = useState<Overlap>('0');
  const ready = configured && isNameTyped(typed, source.name);
  return (
    <Form
      submit="Rotate now"
      change={change}
      onSubmit={() => onRotate(overlap)}
      onCancel={onBack}
      cancel="Back"
      button={{ color: 'danger', disabled: !ready }}
    >
      <Checkbox
        label="The new secret is configured in the sender"
        checked={configured}
        onChange={(event) => setConfigured(event.currentTarget.checked)}
        autoFocus
      />
      <TextInput
        label={`Type the name of the ${kindOf(source.source_id)}: ${source.name}`}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
      />
      <NativeSelect
        label="Old secret"
        description={
          overlap === '0'
            ? undefined
            : 'Anyone with the old secret can send until then. Choose this only if it has not leaked.'
        }
        data={OVERLAP_CHOICES}
        value={overlap}
        onChange={(event) => setOverlap(event.currentTarget.value as Overlap)}
      />
    </Form>
  );
}
