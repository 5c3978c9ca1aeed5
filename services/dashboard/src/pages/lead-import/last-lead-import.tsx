import { Button } from '@mantine/core';
import type { LeadImportItem } from '@sluice/dashboard-api/lead-imports';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import { Card } from '../../ui/page.tsx';
import classes from '../import/import.module.css';
import { leadsWords } from '../pipeline/leads-words.ts';
import { UndoLeadsDialog } from './undo-leads-dialog.tsx';

/** Shows the last import of leads, with a button to undo it. */
export function LastLeadImport() {
  const last = useRead(ROUTES.leads.lastImport, {});
  const item = last.data?.import ?? null;
  return item === null ? null : <LastImportCard item={item} />;
}

function LastImportCard({ item }: { readonly item: LeadImportItem }) {
  const [asking, setAsking] = useState(false);
  return (
    <Card title="Last import">
      <div className={classes.last}>
        <p>
          <strong>{item.file_name}</strong>, {leadsWords(item.leads)}{' '}
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
      {asking && <UndoLeadsDialog item={item} onClose={() => setAsking(false)} />}
    </Card>
  );
}
