import { NativeSelect } from '@mantine/core';
import type { Overlap } from '@sluice/contract/account/overlap';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { SourceWithActivity } from '@sluice/dashboard-api/sources';
import { setUpOf } from '@sluice/signature/presets/set-up';
import { fieldError } from '../../api/api-error.ts';
import { useWrite } from '../../api/queries.ts';
import { Form } from '../../ui/form.tsx';
import { Modal } from '../../ui/modal.tsx';
import { PasswordInput } from '../../ui/password-input.ts';
import { OVERLAP_CHOICES } from '../../ui/secrets.tsx';
import { useToast } from '../../ui/toaster.tsx';
import { ENDPOINTS_SHOWN } from './endpoint.ts';

interface PasteSecretDialogProps {
  readonly source: SourceWithActivity;
  readonly onClose: () => void;
}

/** Replaces the signing secret by one that the platform has made. */
export function PasteSecretDialog({ source, onClose }: PasteSecretDialogProps) {
  const toast = useToast();
  const paste = useWrite(ROUTES.sources.pasteSecret, ENDPOINTS_SHOWN);
  const params = { sourceId: source.source_id };
  return (
    <Modal opened onClose={onClose} title="Paste secret" size="md">
      <Form
        submit="Save secret"
        change={paste}
        shown={['/secret']}
        onSubmit={(text) => {
          const secret = text('secret');
          // Before the first request nothing can use the old secret.
          const overlap = (text('overlap') || '0') as Overlap;
          paste.mutate(
            { params, body: { secret, overlap } },
            {
              onSuccess: () => {
                toast(`The secret that ends with ${secret.slice(-4)} is in use.`);
                onClose();
              },
            },
          );
        }}
        onCancel={onClose}
      >
        <PasswordInput
          name="secret"
          label={`Secret of ${setUpOf(source.sender)?.title ?? 'the sender'}`}
          description="The next request is verified with it"
          autoComplete="off"
          required
          data-autofocus
          error={fieldError(paste.error, '/secret')}
        />
        {source.last_delivery_at !== null && (
          <NativeSelect name="overlap" label="Old secret" data={OVERLAP_CHOICES} />
        )}
      </Form>
    </Modal>
  );
}
