import { ROUTES } from '@sluice/dashboard-api/routes';
import { useRead } from '../../api/queries.ts';
import { LastImportCard } from '../import-parts/last-import-card.tsx';
import { UndoDialog } from './undo-dialog.tsx';

/** Shows the last import of events. */
export function LastImport() {
  const item = useRead(ROUTES.events.lastImport, {}).data?.import ?? null;
  if (item === null) return null;
  const events = `${item.events.toLocaleString('en')} ${item.events === 1 ? 'event' : 'events'}`;
  return (
    <LastImportCard
      fileName={item.file_name}
      what={` into ${item.source_name}, ${events}`}
      by={item.imported_by}
      at={item.imported_at}
      undoneAt={item.undone_at}
      undoDialog={(onClose) => <UndoDialog item={item} onClose={onClose} />}
    />
  );
}
