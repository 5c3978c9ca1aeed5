import { NativeSelect } from '@mantine/core';
import type { ImportTable } from '@sluice/importing/import-table';
import { FIELDS, type Field, type Mapping, REQUIRED } from '@sluice/importing/mapping';
import classes from './import.module.css';

interface MappingFieldsProps {
  readonly table: ImportTable;
  readonly mapping: Mapping;
  readonly disabled: boolean;
  readonly onChange: (mapping: Mapping) => void;
}

/** Maps columns to fields of an event, with an example from the file. */
export function MappingFields({ table, mapping, disabled, onChange }: MappingFieldsProps) {
  const options = table.columns.map((column, index) => ({
    value: String(index),
    label: column.trim() === '' ? `Column ${index + 1}` : column,
  }));
  const change = (field: Field, value: string) => {
    const { [field]: _, ...others } = mapping;
    onChange(value === '' ? others : { ...others, [field]: Number(value) });
  };
  return (
    <>
      <div className={classes.mapping}>
        {FIELDS.map(({ name, label }) => {
          const column = mapping[name];
          return (
            <NativeSelect
              key={name}
              label={label}
              withAsterisk={REQUIRED.includes(name)}
              description={exampleOf(table, column)}
              disabled={disabled}
              data={[{ value: '', label: 'No column' }, ...options]}
              value={column === undefined ? '' : String(column)}
              onChange={(event) => change(name, event.currentTarget.value)}
            />
          );
        })}
      </div>
      <p className="dimmed small">
        Dates like 2026-12-01T18:00:00+01:00 are read exactly. Dates without an offset are read in the default
        time zone.
      </p>
    </>
  );
}

const EXAMPLE_LENGTH = 60;

/** Returns the first value of a column, to show that the right one is chosen. */
export function exampleOf({ rows }: ImportTable, column: number | undefined): string {
  if (column === undefined) return 'Not in the file';
  const text = rows.map(({ cells }) => cells[column]?.trim() ?? '').find((cell) => cell !== '') ?? '';
  if (text === '') return 'Empty in every row';
  return `Example: “${text.length > EXAMPLE_LENGTH ? `${text.slice(0, EXAMPLE_LENGTH)}…` : text}”`;
}
