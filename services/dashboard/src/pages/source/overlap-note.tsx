import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Source } from '@sluice/dashboard-api/sources';
import { useWrite } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Note } from '../../ui/note.tsx';
import { SHOWING } from '../rotate/showing.ts';
import classes from './set-up.module.css';

interface OverlapNoteProps {
  readonly source: Source;
  /** The time when the old secret expires. */
  readonly until: string;
  readonly mayChange: boolean;
}

/** Shows that two secrets are accepted. An admin can end the overlap. */
export function OverlapNote({ source, until, mayChange }: OverlapNoteProps) {
  const [asking, ask] = useDisclosure(false);
  const end = useWrite(ROUTES.sources.endOverlap, SHOWING);
  const params = { sourceId: source.source_id };
  return (
    <div className={classes.overlap}>
      <Note tone="warn">
        The old secret still works. It expires <Ago at={until} />.{' '}
        {mayChange && (
          <Button variant="default" size="compact-sm" onClick={ask.open}>
            End the overlap now
          </Button>
        )}
      </Note>
      <ConfirmDialog
        opened={asking}
        title="End the overlap now?"
        confirm="End the overlap"
        pending={end.isPending}
        error={end.error}
        onConfirm={() => end.mutate({ params }, { onSuccess: ask.close })}
        onClose={ask.close}
      >
        <p>
          Requests signed with the old secret get <strong>401</strong> immediately, on every replica. The
          current secret does not change.
        </p>
      </ConfirmDialog>
    </div>
  );
}
