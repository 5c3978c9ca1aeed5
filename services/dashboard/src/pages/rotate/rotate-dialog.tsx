import type { Overlap } from '@sluice/contract/overlap';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { SourceWithActivity } from '@sluice/dashboard-api/sources';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { Modal } from '../../ui/modal.tsx';
import { ConfigureStep } from './configure-step.tsx';
import { EffectStep } from './effect-step.tsx';
import { LiveCheck } from './live-check.tsx';
import { RotateStep } from './rotate-step.tsx';
import { SHOWING } from './showing.ts';

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
export function RotateDialog({
  what,
  source,
  onClose,
}: {
  readonly what: 'source' | 'channel';
  readonly source: SourceWithActivity;
  readonly onClose: () => void;
}) {
  const [stage, setStage] = useState<Stage>('effect');
  const prepare = useWrite(ROUTES.sources.prepareRotation);
  const confirm = useWrite(ROUTES.sources.confirmRotation, SHOWING);
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
          pending={prepare.isPending}
          error={prepare.error}
          onNext={() => prepare.mutate({ params }, { onSuccess: () => setStage('configure') })}
          onCancel={onClose}
        />
      )}
      {stage === 'configure' && prepared !== undefined && (
        <ConfigureStep prepared={prepared} onNext={() => setStage('rotate')} onCancel={onClose} />
      )}
      {stage === 'rotate' && prepared !== undefined && (
        <RotateStep
          what={what}
          source={source}
          pending={confirm.isPending}
          error={confirm.error}
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
