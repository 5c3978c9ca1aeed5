import { Button } from '@mantine/core';
import type { KeyItem } from '@sluice/dashboard-api/keys';
import { useState } from 'react';
import { fieldError } from '../../api/api-error.ts';
import dialog from '../../ui/dialog.module.css';
import { ErrorNote } from '../../ui/states.tsx';
import { type Expiry, ExpiryField, expiresAt } from './expiry-field.tsx';

interface RotateKeyEffectProps {
  readonly item: KeyItem;
  readonly pending: boolean;
  readonly error: Error | null;
  readonly onCopy: (expiresAt: string | null) => void;
  readonly onCancel: () => void;
}

/**
 * Shows the effect and asks for the expiry of the new key: keys are often rotated because they are about to expire.
 */
export function RotateKeyEffect({ item, pending, error, onCopy, onCancel }: RotateKeyEffectProps) {
  const [expiry, setExpiry] = useState<Expiry>({ choice: 'same', date: '' });
  const expiryError = fieldError(error, '/expires_at');
  return (
    <form
      className={dialog.body}
      onSubmit={(event) => {
        event.preventDefault();
        onCopy(expiresAt(expiry, Date.now(), item.expires_at));
      }}
    >
      <div className={dialog.effect}>
        <p>
          This creates a new key “{item.name}” with the same scopes. The old one, <code>{item.prefix}…</code>,
          keeps working until you revoke it in the last step or it expires.
        </p>
      </div>
      <ExpiryField value={expiry} onChange={setExpiry} error={expiryError} before={item.expires_at} />
      {error !== null && expiryError === undefined && <ErrorNote error={error} />}
      <div className={dialog.buttons}>
        <Button variant="default" disabled={pending} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={pending} data-autofocus>
          Create new key
        </Button>
      </div>
    </form>
  );
}
