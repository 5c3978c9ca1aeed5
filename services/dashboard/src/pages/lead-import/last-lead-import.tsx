import { ROUTES } from '@sluice/dashboard-api/routes';
import { useRead } from '../../api/queries.ts';
import { LastImportCard } from '../import-parts/last-import-card.tsx';
import { leadsWords } from '../pipeline/leads-words.ts';
import { UndoLeadsDialog } from './undo-leads-dialog.tsx';

/** Shows the last import of leads. */
export function LastLeadImport() {
  const item = useRead(ROUTES.leads.lastImport, {}).data?.import ?? null;
  if (item === null) return null;
  return (
    <LastImportCard
      fileName={item.file_name}
      what={`, ${leadsWords(item.leads)}`}
      by={item.imported_by}
      at={item.imported_at}
      undoneAt={item.undone_at}
      undoDialog={(onClose) => <UndoLeadsDialog item={item} onClose={onClose} />}
    />
  );
}
