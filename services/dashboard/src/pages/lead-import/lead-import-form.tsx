import { Button } from '@mantine/core';
import { countOf } from '@sluice/importing/import-table';
import { isComplete } from '@sluice/importing/lead-mapping';
import { Note } from '../../ui/note.tsx';
import { Card } from '../../ui/page.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { FileField } from '../import-parts/file-field.tsx';
import classes from '../import-parts/import.module.css';
import { LastLeadImport } from './last-lead-import.tsx';
import { LeadCheckResult } from './lead-check-result.tsx';
import { LeadImportResult } from './lead-import-result.tsx';
import { LeadMappingFields } from './lead-mapping-fields.tsx';
import { MatchField } from './match-field.tsx';
import { useLeadImport } from './use-lead-import.ts';

/** Imports a file in steps, shown one below the other. */
export function LeadImportForm() {
  const one = useLeadImport();
  const { stage, table, mapping, error } = one;
  const running = stage.name === 'importing' || stage.name === 'imported';
  const isChecking = stage.name === 'checking';
  return (
    <div className={classes.stack}>
      {!running && (
        <Card>
          <div className={classes.stack}>
            <FileField csvOnly onFile={(file) => void one.choose(file)} />
            {stage.name === 'choose' && stage.why !== undefined && <Note tone="bad">{stage.why}</Note>}
          </div>
        </Card>
      )}
      {!running && table !== null && (
        <Card title={`${table.fileName}: ${countOf(table, table.rows.length)}`}>
          <div className={classes.stack}>
            <LeadMappingFields table={table} mapping={mapping} disabled={isChecking} onChange={one.remap} />
            <MatchField mapping={mapping} value={one.matchOn} disabled={isChecking} onChange={one.rematch} />
            {error !== null && <ErrorNote error={error} />}
            {!isComplete(mapping) && (
              <Note tone="info">Choose a column for the name, the email, the phone or the external ID.</Note>
            )}
            {stage.name !== 'checked' && (
              <Button
                className={classes.start}
                disabled={!isComplete(mapping)}
                loading={isChecking}
                onClick={() => void one.check()}
              >
                Check the file
              </Button>
            )}
          </div>
        </Card>
      )}
      {table !== null && stage.name === 'checked' && (
        <LeadCheckResult
          table={table}
          mapping={mapping}
          rows={stage.rows}
          onImport={() => void one.start(stage.rows)}
        />
      )}
      {table !== null && (stage.name === 'importing' || stage.name === 'imported') && (
        <LeadImportResult
          table={table}
          job={stage.job}
          progress={stage.progress}
          finished={stage.name === 'imported'}
          error={error}
          onContinue={() => void one.resume(stage.job)}
          onAgain={one.again}
        />
      )}
      {stage.name !== 'importing' && <LastLeadImport />}
    </div>
  );
}
