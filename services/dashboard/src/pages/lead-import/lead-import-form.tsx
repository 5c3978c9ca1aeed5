import { isComplete } from '@sluice/import/read/lead-mapping';
import { Note } from '../../ui/note.tsx';
import { FileField } from '../import-parts/file-field.tsx';
import { ImportSteps } from '../import-parts/import-steps.tsx';
import { LastLeadImport } from './last-lead-import.tsx';
import { LeadCheckResult } from './lead-check-result.tsx';
import { LeadImportResult } from './lead-import-result.tsx';
import { LeadMappingFields } from './lead-mapping-fields.tsx';
import { MatchField } from './match-field.tsx';
import { useLeadImport } from './use-lead-import.ts';

/** Imports leads from a file. */
export function LeadImportForm() {
  const one = useLeadImport();
  const { mapping } = one;
  const isMapped = isComplete(mapping);
  const isChecking = one.stage.name === 'checking';
  return (
    <ImportSteps
      steps={one}
      choose={<FileField csvOnly onFile={(file) => void one.choose(file)} />}
      map={(table) => (
        <>
          <LeadMappingFields table={table} mapping={mapping} disabled={isChecking} onChange={one.remap} />
          <MatchField mapping={mapping} value={one.matchOn} disabled={isChecking} onChange={one.rematch} />
          {!isMapped && (
            <Note tone="info">Choose a column for the name, the email, the phone or the external ID.</Note>
          )}
        </>
      )}
      isMapped={isMapped}
      onCheck={() => void one.check()}
      preview={(table, rows) => (
        <LeadCheckResult table={table} mapping={mapping} rows={rows} onImport={() => void one.start(rows)} />
      )}
      result={(props) => <LeadImportResult {...props} />}
      lastImport={<LastLeadImport />}
    />
  );
}
