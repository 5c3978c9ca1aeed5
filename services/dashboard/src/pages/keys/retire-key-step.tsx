import { Button } from '@mantine/core';
import type { KeyWithActivity } from '@sluice/dashboard-api/keys';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useRead } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import dialog from '../../ui/dialog.module.css';
import { Note } from '../../ui/note.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { KeyInUse } from './key-usage.tsx';

const LOOK_EVERY_MS = 2000;

interface RetireKeyStepProps {
  readonly old: KeyWithActivity;
  readonly newKeyId: string;
  readonly pending: boolean;
  readonly error: Error | null;
  readonly onRetire: () => void;
  readonly onLater: () => void;
}

/**
 * Watches both keys, so that an admin sees whether the integration uses the new key before the old one is revoked.
 */
export function RetireKeyStep({ old, newKeyId, pending, error, onRetire, onLater }: RetireKeyStepProps) {
  const keys = useRead(ROUTES.keys.list, {}, { everyMs: LOOK_EVERY_MS });
  const find = (keyId: string) => keys.data?.items.find(({ key_id }) => key_id === keyId);
  const used = find(newKeyId)?.last_used_at ?? null;
  return (
    <div className={dialog.body}>
      <div role="status" className={dialog.effect}>
        {used === null ? (
          <Note tone="quiet">The new key has not been used yet. This line updates automatically.</Note>
        ) : (
          <Note tone="ok">
            The new key is in use: <Ago at={used} />.
          </Note>
        )}
      </div>
      <div className={dialog.effect}>
        <p>
          The old key is <code>{old.prefix}…</code>. After you revoke it, its next request gets{' '}
          <strong>401 Unauthorized</strong>, on every replica.
        </p>
        <KeyInUse item={find(old.key_id) ?? old} />
      </div>
      {error !== null && <ErrorNote error={error} />}
      <div className={dialog.buttons}>
        <Button variant="default" onClick={onLater}>
          Keep both for now
        </Button>
        <Button color="danger" loading={pending} onClick={onRetire}>
          Revoke the old key
        </Button>
      </div>
    </div>
  );
}
