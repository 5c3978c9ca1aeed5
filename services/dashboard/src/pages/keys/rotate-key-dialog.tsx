import type { KeyRotation, KeyWithActivity } from '@sluice/dashboard-api/keys';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useWrite } from '../../api/queries.ts';
import { Modal } from '../../ui/modal.tsx';
import { KeyShownOnce } from './key-shown-once.tsx';
import { RotateKeyEffect } from './rotate-key-effect.tsx';

interface RotateKeyDialogProps {
  readonly item: KeyWithActivity;
  readonly onClose: () => void;
}

/** Replaces a key by a new one. Both work through the overlap, so that the integration can switch. */
export function RotateKeyDialog({ item, onClose }: RotateKeyDialogProps) {
  const rotate = useWrite(ROUTES.keys.rotate, [ROUTES.keys.list, ROUTES.webhooks.list]);
  const onRotate = (body: KeyRotation) => rotate.mutate({ params: { keyId: item.key_id }, body });
  const isShown = rotate.data !== undefined;
  return (
    <Modal
      opened
      onClose={onClose}
      title={isShown ? 'Rotate key · 2 of 2: save the new key' : 'Rotate key · 1 of 2: what happens'}
      size="lg"
      closable={!isShown && !rotate.isPending}
    >
      {isShown ? (
        <KeyShownOnce created={rotate.data} onDone={onClose} />
      ) : (
        <RotateKeyEffect
          item={item}
          pending={rotate.isPending}
          error={rotate.error}
          onRotate={onRotate}
          onCancel={onClose}
        />
      )}
    </Modal>
  );
}
