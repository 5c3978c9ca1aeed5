import type { KeyWithActivity } from '@sluice/dashboard-api/keys';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { Modal } from '../../ui/modal.tsx';
import { useToast } from '../../ui/toaster.tsx';
import { KeyShownOnce } from './key-shown-once.tsx';
import { RetireKeyStep } from './retire-key-step.tsx';
import { RotateKeyEffect } from './rotate-key-effect.tsx';

type Stage = 'effect' | 'save' | 'retire';
const TITLES: Record<Stage, string> = {
  effect: 'Rotate key · 1 of 3: what happens',
  save: 'Rotate key · 2 of 3: save the new key',
  retire: 'Rotate key · 3 of 3: revoke the old key',
};

interface RotateKeyDialogProps {
  readonly item: KeyWithActivity;
  readonly onClose: () => void;
}

/**
 * Creates a copy of a key, then revokes the old one. In between both keys work, so that the integration can switch.
 */
export function RotateKeyDialog({ item, onClose }: RotateKeyDialogProps) {
  const [stage, setStage] = useState<Stage>('effect');
  const create = useWrite(ROUTES.keys.create, [ROUTES.keys.list]);
  const revoke = useWrite(ROUTES.keys.revoke, [ROUTES.keys.list]);
  const toast = useToast();
  const { name, scopes } = item;
  const copy = (expires_at: string | null) =>
    create.mutate({ body: { name, scopes, expires_at } }, { onSuccess: () => setStage('save') });
  const retire = () =>
    revoke.mutate(
      { params: { keyId: item.key_id } },
      {
        onSuccess: () => {
          toast(
            <>
              Rotated. Requests with <code>{item.prefix}…</code> now get 401.
            </>,
          );
          onClose();
        },
      },
    );
  const isShown = stage === 'save';
  return (
    <Modal
      opened
      onClose={onClose}
      title={TITLES[stage]}
      size="lg"
      closable={!isShown && !create.isPending}
      closeOnClickOutside={stage === 'effect'}
    >
      {stage === 'effect' && (
        <RotateKeyEffect
          item={item}
          pending={create.isPending}
          error={create.error}
          onCopy={copy}
          onCancel={onClose}
        />
      )}
      {isShown && create.data !== undefined && (
        <KeyShownOnce created={create.data} done="Next" onDone={() => setStage('retire')} />
      )}
      {stage === 'retire' && create.data !== undefined && (
        <RetireKeyStep
          old={item}
          newKeyId={create.data.item.key_id}
          pending={revoke.isPending}
          error={revoke.error}
          onRetire={retire}
          onLater={onClose}
        />
      )}
    </Modal>
  );
}
