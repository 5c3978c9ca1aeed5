import { Button } from '@mantine/core';
import { ROUTES } from '@sluice/contract/dashboard/routes';
import type { Source } from '@sluice/contract/dashboard/sources';
import { useRead } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import dialog from '../../ui/dialog.module.css';
import { Note } from '../../ui/note.tsx';

const LOOK_EVERY_MS = 1000;

/** Watches the delivery log: did the sender take the new secret? */
export function LiveCheck({ source, onDone }: { readonly source: Source; readonly onDone: () => void }) {
  const since = source.secret_rotated_at ?? source.created_at;
  const query = { source_id: source.source_id, from: since, limit: 200 };
  const look = useRead(ROUTES.deliveries.list, { query }, { everyMs: LOOK_EVERY_MS });
  const items = look.data?.items ?? [];
  const first = items.findLast(({ http_status: status }) => status === 200);
  const old = items
    .filter(({ code }) => code === 'signature_invalid')
    .reduce((sum, { count }) => sum + count, 0);
  return (
    <div className={dialog.body}>
      <p>Requests signed with the old secret now get 401.</p>
      <div role="status" className={dialog.effect}>
        {first === undefined ? (
          <Note tone="quiet">No request with the new secret so far. This line changes by itself.</Note>
        ) : (
          <Note tone="ok">
            First request with the new secret: <Ago at={first.received_at} />.
          </Note>
        )}
        {old > 0 && (
          <Note tone="bad">
            {old === 1 ? '1 request was' : `${old} requests were`} badly signed since: a sender still uses the
            old secret.
          </Note>
        )}
      </div>
      <div className={dialog.buttons}>
        <Button onClick={onDone} autoFocus>
          Done
        </Button>
      </div>
    </div>
  );
}
