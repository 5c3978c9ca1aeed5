import { ROUTES } from '@sluice/dashboard-api/routes';
import { useWrite } from '../../api/queries.ts';
import { Modal } from '../../ui/modal.tsx';
import { CreateKeyForm } from './create-key-form.tsx';
import { KeyShownOnce } from './key-shown-once.tsx';
import type { PresetId } from './presets.tsx';

interface CreateKeyDialogProps {
  readonly preset: PresetId | null;
  readonly onClose: () => void;
}

/**
 * Shows the form, then the full key. The key exists only in this component’s mutation and is gone with it. While it
 * is made and shown, neither Escape nor a click outside closes the dialog.
 */
export function CreateKeyDialog({ preset, onClose }: CreateKeyDialogProps) {
  const create = useWrite(ROUTES.keys.create, [ROUTES.keys.list, ROUTES.overview.show]);
  const created = create.data;
  return (
    <Modal
      opened
      onClose={onClose}
      title={created === undefined ? 'Create an API key' : 'Save your key now'}
      size={created === undefined ? 'xl' : 'lg'}
      closable={created === undefined && !create.isPending}
    >
      {created === undefined ? (
        <CreateKeyForm
          preset={preset}
          pending={create.isPending}
          error={create.error}
          onCancel={onClose}
          onCreate={(body) => create.mutate({ body })}
        />
      ) : (
        <KeyShownOnce created={created} onDone={onClose} />
      )}
    </Modal>
  );
}
