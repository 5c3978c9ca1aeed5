import type { ImportTable } from '@sluice/import/read/import-table';
import { freeColumns, LEAD_FIELDS, type LeadMapping } from '@sluice/import/read/lead-mapping';
import { Checkbox } from '../../ui/checkbox.ts';
import { ColumnSelects } from '../import-parts/column-selects.tsx';
import classes from '../import-parts/import.module.css';

interface LeadMappingFieldsProps {
  readonly table: ImportTable;
  readonly mapping: LeadMapping;
  readonly disabled: boolean;
  readonly onChange: (mapping: LeadMapping) => void;
}

/** Maps columns to fields of a lead, and chooses the columns that become custom fields. */
export function LeadMappingFields({ table, mapping, disabled, onChange }: LeadMappingFieldsProps) {
  const free = freeColumns(table.columns, mapping);
  return (
    <>
      <ColumnSelects
        table={table}
        fields={LEAD_FIELDS}
        mapping={mapping.fields}
        disabled={disabled}
        onChange={(fields) => onChange({ ...mapping, fields })}
      />
      {free.length > 0 && (
        <Checkbox.Group
          label="Custom fields"
          description="Other columns to import, under their names."
          value={mapping.custom.map(String)}
          onChange={(columns) => onChange({ ...mapping, custom: columns.map(Number) })}
        >
          <div className={classes.choices}>
            {free.map(({ index, name }) => (
              <Checkbox key={index} value={String(index)} label={name} disabled={disabled} />
            ))}
          </div>
        </Checkbox.Group>
      )}
      <p className="dimmed small">
        A stage is written by its name or its id. Tags are separated by commas. Empty cells change nothing.
      </p>
    </>
  );
}
