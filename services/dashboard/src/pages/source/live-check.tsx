import { Button } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { RotationCheck, Source } from '@sluice/dashboard-api/sources';
import { useRead } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import dialog from '../../ui/dialog.module.css';
import { ErrorNote, Note } from '../../ui/states.tsx';
import { counted } from '../../ui/words.ts';

const LOOK_EVERY_MS = 1000;

/** Watches whether the sender uses the new secret. */
export function LiveCheck({ source, onDone }: { readonly source: Source; readonly onDone: () => void }) {
  const params = { sourceId: source.source_id };
  const { data, error } = useRead(ROUTES.sources.rotationCheck, { params }, { everyMs: LOOK_EVERY_MS });
  return (
    <div className="stack">
      <OldSecret until={source.overlap_until} />
      <div role="status" className="stack-small breaks">
        {data !== undefined && <Seen check={data} />}
      </div>
      {data === undefined && error !== null && <ErrorNote error={error} />}
      <div className={dialog.buttons}>
        <Button onClick={onDone} autoFocus>
          Done
        </Button>
      </div>
    </div>
  );
}

function OldSecret({ until }: { readonly until: string | null }) {
  if (until === null) return <p>Requests signed with the old secret now get 401.</p>;
  return (
    <p>
      The old secret still works. It expires <Ago at={until} />. You can end this earlier under Set up.
    </p>
  );
}

function Seen({ check }: { readonly check: RotationCheck }) {
  const { first_accepted_at: first, old_accepted_at: old, old_refused, neither_refused } = check;
  return (
    <>
      {first === null ? (
        <Note tone="quiet">No requests with the new secret yet. This line updates automatically.</Note>
      ) : (
        <Note tone="ok">
          First request with the new secret: <Ago at={first} />.
        </Note>
      )}
      {old !== null && (
        <Note tone="warn">
          A sender still uses the old secret: its last request was accepted <Ago at={old} />.
        </Note>
      )}
      {old_refused.last_at !== null && (
        <Note tone="bad">
          {rejected(old_refused.count, 'signed with the old secret')}, the last one{' '}
          <Ago at={old_refused.last_at} />. A sender still uses it.
        </Note>
      )}
      {neither_refused.last_at !== null && (
        <Note tone="bad">
          {rejected(neither_refused.count, 'signed with neither secret')}, the last one{' '}
          <Ago at={neither_refused.last_at} />. Was the new secret copied completely?
        </Note>
      )}
    </>
  );
}

function rejected(count: number, which: string): string {
  return counted(count, `request ${which} was rejected`, `requests ${which} were rejected`);
}
