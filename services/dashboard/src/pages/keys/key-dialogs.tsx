import { NativeSelect } from '@mantine/core';
import type { Overlap } from '@sluice/contract/account/overlap';
import { webhookName } from '@sluice/contract/subscription/subscription-name';
import type { KeyRotation, KeyWithActivity } from '@sluice/dashboard-api/keys';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { WebhookItem } from '@sluice/dashboard-api/webhooks';
import { type ReactNode, useState } from 'react';
import { fieldError } from '../../api/api-error.ts';
import { useRead, useWrite } from '../../api/queries.ts';
import { ConfirmDialog, NameDialog } from '../../ui/dialog-parts.tsx';
import { type Change, Form } from '../../ui/form.tsx';
import { Modal } from '../../ui/modal.tsx';
import { OVERLAP_CHOICES } from '../../ui/secrets.tsx';
import { ErrorNote, Note } from '../../ui/states.tsx';
import { useToast } from '../../ui/toaster.tsx';
import { counted } from '../../ui/words.ts';
import { type Expiry, ExpiryField, expiresAt } from './expiry-field.tsx';
import { KeyShownOnce } from './key-shown-once.tsx';
import { KeyInUse } from './key-usage.tsx';

interface KeyDialogProps {
  readonly item: KeyWithActivity;
  readonly onClose: () => void;
}

/** Replaces a key by a new one. Both work through the overlap, so that the integration can switch. */
export function RotateKeyDialog({ item, onClose }: KeyDialogProps) {
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
        <RotateKeyEffect item={item} change={rotate} onRotate={onRotate} onCancel={onClose} />
      )}
    </Modal>
  );
}

interface RotateKeyEffectProps {
  readonly item: KeyWithActivity;
  readonly change: Change;
  readonly onRotate: (rotation: KeyRotation) => void;
  readonly onCancel: () => void;
}

/**
 * Shows the effect, and asks how long the old key works and for the expiry of the new one: keys are often rotated because they are
 * about to expire.
 */
function RotateKeyEffect({ item, change, onRotate, onCancel }: RotateKeyEffectProps) {
  const [expiry, setExpiry] = useState<Expiry>({ choice: 'same', date: '' });
  const [overlap, setOverlap] = useState<Overlap>('24h');
  return (
    <Form
      submit="Rotate key"
      change={change}
      shown={['/expires_at']}
      onSubmit={() => onRotate({ overlap, expires_at: expiresAt(expiry, Date.now(), item.expires_at) })}
      onCancel={onCancel}
    >
      <div className="stack-small breaks">
        <p>
          This creates a new key “{item.name}” with the same scopes. Give it to the integration while the old
          one, <code>{item.prefix}…</code>, still works.
        </p>
        <KeySubscriptions keyId={item.key_id}>
          {(count) => <p>{count} of this key move to the new one and keep their secrets:</p>}
        </KeySubscriptions>
      </div>
      <NativeSelect
        label="Old key"
        data-autofocus
        description={
          overlap === '0'
            ? 'Requests get 401 until the integration has the new key. Choose this if the old one has leaked.'
            : 'It ends earlier if it expires earlier. You can revoke it before.'
        }
        data={OVERLAP_CHOICES}
        value={overlap}
        onChange={(event) => setOverlap(event.currentTarget.value as Overlap)}
      />
      <ExpiryField
        value={expiry}
        onChange={setExpiry}
        error={fieldError(change.error, '/expires_at')}
        before={item.expires_at}
      />
      {overlap === '0' && <KeyInUse item={item} />}
    </Form>
  );
}

/** Renames a key. Integrations that use it notice nothing. */
export function RenameKeyDialog({ item, onClose }: KeyDialogProps) {
  const rename = useWrite(ROUTES.keys.rename, [ROUTES.keys.list]);
  const toast = useToast();
  return (
    <NameDialog
      title={`Rename “${item.name}”`}
      description="The key, its scopes and its expiry stay the same."
      name={item.name}
      submit="Rename key"
      change={rename}
      onSubmit={(name) =>
        rename.mutate(
          { params: { keyId: item.key_id }, body: { name } },
          {
            onSuccess: (renamed) => {
              toast(`Renamed to “${renamed.name}”.`);
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    />
  );
}

/** Names the effect before the key is revoked. After that, the next request with the key is rejected. */
export function RevokeKeyDialog({ item, onClose }: KeyDialogProps) {
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
      change={revoke}
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

interface KeySubscriptionsProps {
  readonly keyId: string;
  /** The effect on them, above their names. */
  readonly children: (count: string) => ReactNode;
}

/** Lists the webhook subscriptions of a key that works, before it is rotated or revoked. Nothing if it has none. */
function KeySubscriptions({ keyId, children }: KeySubscriptionsProps) {
  const webhooks = useRead(ROUTES.webhooks.list, {});
  if (webhooks.error !== null) return <ErrorNote error={webhooks.error} />;
  if (webhooks.data === undefined) return <p className="dimmed">Looking for its webhook subscriptions…</p>;
  const own = webhooks.data.items.filter(({ key }: WebhookItem) => key?.id === keyId);
  if (own.length === 0) return null;
  return (
    <>
      {children(counted(own.length, 'webhook subscription'))}
      <ul className="bullets breaks">
        {own.map((one) => (
          <li key={one.id}>
            <bdi>{webhookName(one)}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}
