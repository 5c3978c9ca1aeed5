import { Button } from '@mantine/core';
import type { ImportItem } from '@sluice/dashboard-api/imports';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import { Card } from '../../ui/page.tsx';
import classes from './import.module.css';
import { UndoDialog } from './undo-dialog.tsx';

/** Shows the last import, with a button to undo it. */
export function LastImport() {
  const last = useRead(ROUTES.events.lastImport, {});
  const item = last.data?.import ?? null;
  return item === null ? null : <LastImportCard item={item} />;
}

function LastImportCard({ item }: { readonly item: ImportItem }) {
  const [asking, setAsking] = useState(false);
  return (
    <Card title="Last import">
      <div className={classes.last}>
        <p>
          <strong>{item.file_name}</strong> into {item.source_name}, {item.events.toLocaleString('en')}{' '}
          {item.events === 1 ? 'event' : 'events'}{' '}
          <span className="dimmed">
            by {item.imported_by}, <Ago at={item.imported_at} />
          </span>
        </p>
        {item.undone_at === null ? (
          <Button variant="default" onClick={() => setAsking(true)}>
            Undo this import
          </Button>
        ) : (
          <span className="dimmed">
            undone <Ago at={item.undone_at} />
          </span>
        )}
      </div>
      {asking && <UndoDialog item={item} onClose={() => setAsking(false)} />}
    </Card>
  );
}
