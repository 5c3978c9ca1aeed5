import { Checkbox, NativeSelect } from '@mantine/core';
import type { ImportTable } from '@sluice/importing/import-table';
import { freeColumns, LEAD_FIELDS, type LeadField, type LeadMapping } from '@sluice/importing/lead-mapping';
import classes from '../import/import.module.css';
import { exampleOf } from '../import/mapping-fields.tsx';

interface LeadMappingFieldsProps {
  readonly table: ImportTable;
  readonly mapping: LeadMapping;
  readonly disabled: boolean;
  readonly onChange: (mapping: LeadMapping) => void;
}

/** Maps columns to fields of a lead, and chooses the columns that become custom fields. */
export function LeadMappingFields({ table, mapping, disabled, onChange }: LeadMappingFieldsProps) {
  const options = table.columns.map((column, index) => ({
    value: String(index),
    label: column.trim() === '' ? `Column ${index + 1}` : column,
  }));
  const change = (field: LeadField, value: string) => {
    const { [field]: _, ...others } = mapping.fields;
    onChange({ ...mapping, fields: value === '' ? others : { ...others, [field]: Number(value) } });
  };
  const free = freeColumns(table.columns, mapping);
  return (
    <>
      <div className={classes.mapping}>
        {LEAD_FIELDS.map(({ name, label }) => {
          const column = mapping.fields[name];
          return (
            <NativeSelect
              key={name}
              label={label}
              description={exampleOf(table, column)}
              disabled={disabled}
              data={[{ value: '', label: 'No column' }, ...options]}
              value={column === undefined ? '' : String(column)}
              onChange={(event) => change(name, event.currentTarget.value)}
            />
          );
        })}
      </div>
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
