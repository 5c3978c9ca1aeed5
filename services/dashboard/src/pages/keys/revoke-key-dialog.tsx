import type { KeyWithActivity } from '@sluice/dashboard-api/keys';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useWrite } from '../../api/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Note } from '../../ui/note.tsx';
import { useToast } from '../../ui/toaster.tsx';
import { KeySubscriptions } from './key-subscriptions.tsx';
import { KeyInUse } from './key-usage.tsx';

/** Names the effect before the key is revoked. After that, the next request with the key is rejected. */
export function RevokeKeyDialog({
  item,
  onClose,
}: {
  readonly item: KeyWithActivity;
  readonly onClose: () => void;
}) {
  const revoke = useWrite(ROUTES.keys.revoke, [ROUTES.keys.list]);
  const toast = useToast();
  const onConfirm = () =>
    revoke.mutate(
      { params: { keyId: item.key_id } },
      {
        onSuccess: () => {
          toast(
            <>
              Revoked <code>{item.prefix}…</code>. Requests with it now get 401.
            </>,
          );
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      opened
      title={`Revoke “${item.name}”?`}
      confirm="Revoke key"
      pending={revoke.isPending}
      error={revoke.error}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        The next request with <code>{item.prefix}…</code> gets <strong>401 Unauthorized</strong>, on every
        replica. A revoked key cannot be restored.
      </p>
      <KeyInUse item={item} />
      <KeySubscriptions keyId={item.key_id}>
        {(count) => (
          <Note tone="warn">
            {count} of this key stop, and messages are no longer sent to them. To keep them, rotate the key
            instead. An admin can adopt them within 30 days.
          </Note>
        )}
      </KeySubscriptions>
    </ConfirmDialog>
  );
}
