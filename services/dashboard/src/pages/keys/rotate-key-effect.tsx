import { Button, NativeSelect } from '@mantine/core';
import type { Overlap } from '@sluice/contract/overlap';
import type { KeyRotation, KeyWithActivity } from '@sluice/dashboard-api/keys';
import { useState } from 'react';
import { fieldError } from '../../api/api-error.ts';
import dialog from '../../ui/dialog.module.css';
import { OVERLAP_CHOICES } from '../../ui/overlap-choices.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { type Expiry, ExpiryField, expiresAt } from './expiry-field.tsx';
import { KeySubscriptions } from './key-subscriptions.tsx';
import { KeyInUse } from './key-usage.tsx';

interface RotateKeyEffectProps {
  readonly item: KeyWithActivity;
  readonly pending: boolean;
  readonly error: Error | null;
  readonly onRotate: (rotation: KeyRotation) => void;
  readonly onCancel: () => void;
}

/**
 * Shows the effect, and asks how long the old key works and for the expiry of the new one: keys are often rotated because they are
 * about to expire.
 */
export function RotateKeyEffect({ item, pending, error, onRotate, onCancel }: RotateKeyEffectProps) {
  const [expiry, setExpiry] = useState<Expiry>({ choice: 'same', date: '' });
  const [overlap, setOverlap] = useState<Overlap>('24h');
  const expiryError = fieldError(error, '/expires_at');
  return (
    <form
      className={dialog.body}
      onSubmit={(event) => {
        event.preventDefault();
        onRotate({ overlap, expires_at: expiresAt(expiry, Date.now(), item.expires_at) });
      }}
    >
      <div className={dialog.effect}>
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
        description={
          overlap === '0'
            ? 'Requests get 401 until the integration has the new key. Choose this if the old one has leaked.'
            : 'It ends earlier if it expires earlier. You can revoke it before.'
        }
        data={OVERLAP_CHOICES}
        value={overlap}
        onChange={(event) => setOverlap(event.currentTarget.value as Overlap)}
      />
      <ExpiryField value={expiry} onChange={setExpiry} error={expiryError} before={item.expires_at} />
      {overlap === '0' && <KeyInUse item={item} />}
      {error !== null && expiryError === undefined && <ErrorNote error={error} />}
      <div className={dialog.buttons}>
        <Button variant="default" disabled={pending} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={pending} data-autofocus>
          Rotate key
        </Button>
      </div>
    </form>
  );
}
