import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Ago } from '../../ui/ago.tsx';
import { Card } from '../../ui/page.tsx';
import classes from './import.module.css';

interface LastImportCardProps {
  readonly fileName: string;
  /** Behind the file name, such as `, 3 leads`. */
  readonly what: ReactNode;
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
  readonly undoneAt: string | null;
  /** The dialog that asks before the undo. */
  readonly undoDialog: (onClose: () => void) => ReactNode;
}

/** Shows the last import, with a button to undo it. */
export function LastImportCard({ fileName, what, by, at, undoneAt, undoDialog }: LastImportCardProps) {
  const [asking, setAsking] = useState(false);
  return (
    <Card title="Last import">
      <div className={classes.last}>
        <p>
          <strong>{fileName}</strong>
          {what}{' '}
          <span className="dimmed">
            by {by}, <Ago at={at} />
          </span>
        </p>
        {undoneAt === null ? (
          <Button variant="default" onClick={() => setAsking(true)}>
            Undo this import
          </Button>
        ) : (
          <span className="dimmed">
            undone <Ago at={undoneAt} />
          </span>
        )}
      </div>
      {asking && undoDialog(() => setAsking(false))}
    </Card>
  );
}
