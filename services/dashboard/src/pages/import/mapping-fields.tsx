import type { ImportTable } from '@sluice/import/read/import-table';
import { FIELDS, type Mapping, REQUIRED } from '@sluice/import/read/mapping';
import { ColumnSelects } from '../import-parts/column-selects.tsx';

interface MappingFieldsProps {
  readonly table: ImportTable;
  readonly mapping: Mapping;
  readonly disabled: boolean;
  readonly onChange: (mapping: Mapping) => void;
}

/** Maps columns to fields of an event. */
export function MappingFields(props: MappingFieldsProps) {
  return (
    <>
      <ColumnSelects {...props} fields={FIELDS} required={REQUIRED} />
      <p className="dimmed small">
        Dates like 2026-12-01T18:00:00+01:00 are read exactly. Dates without an offset are read in the default
        time zone.
      </p>
    </>
  );
}
