import { Button, Modal } from '@mantine/core';
import type { KeyWithActivity } from '@sluice/contract/dashboard/keys';
import { ROUTES } from '@sluice/contract/dashboard/routes';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import dialog from '../../ui/dialog.module.css';
import { ErrorNote } from '../../ui/states.tsx';
import { useToast } from '../../ui/toaster.tsx';
import { KeyShownOnce } from './key-shown-once.tsx';
import { RetireKeyStep } from './retire-key-step.tsx';

type Stage = 'effect' | 'save' | 'retire';
const TITLES: Record<Stage, string> = {
  effect: 'Rotate key · 1 of 3: what will happen',
  save: 'Rotate key · 2 of 3: save the new key',
  retire: 'Rotate key · 3 of 3: revoke the old key',
};

interface RotateKeyDialogProps {
  readonly item: KeyWithActivity;
  readonly onClose: () => void;
}

/** A copy of a key, then the end of the old one. In between both work, for as long as the integration needs. */
export function RotateKeyDialog({ item, onClose }: RotateKeyDialogProps) {
  const [stage, setStage] = useState<Stage>('effect');
  const create = useWrite(ROUTES.keys.create, [ROUTES.keys.list]);
  const revoke = useWrite(ROUTES.keys.revoke, [ROUTES.keys.list]);
  const toast = useToast();
  const { name, scopes, expires_at } = item;
  const copy = () =>
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
      closeOnEscape={!isShown}
      closeOnClickOutside={stage === 'effect' && !create.isPending}
      withCloseButton={!isShown}
    >
      {stage === 'effect' && (
        <div className={dialog.body}>
          <div className={dialog.effect}>
            <p>
              A new key “{name}” is made, with the same scopes and the same expiry. The old one,{' '}
              <code>{item.prefix}…</code>, works on until you revoke it in the last step.
            </p>
          </div>
          {create.error !== null && <ErrorNote error={create.error} />}
          <div className={dialog.buttons}>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button loading={create.isPending} onClick={copy} data-autofocus>
              Make the new key
            </Button>
          </div>
        </div>
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
