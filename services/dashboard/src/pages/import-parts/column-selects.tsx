import { NativeSelect } from '@mantine/core';
import type { ImportTable } from '@sluice/import/read/import-table';
import classes from './import.module.css';

interface ColumnSelectsProps<Field extends string> {
  readonly table: ImportTable;
  readonly fields: readonly { readonly name: Field; readonly label: string }[];
  readonly required?: readonly Field[];
  /** The column index of each field. */
  readonly mapping: Readonly<Partial<Record<Field, number>>>;
  readonly disabled: boolean;
  readonly onChange: (mapping: Readonly<Partial<Record<Field, number>>>) => void;
}

/** Maps columns to fields, with an example from the file. */
export function ColumnSelects<Field extends string>(props: ColumnSelectsProps<Field>) {
  const { table, fields, required = [], mapping, disabled, onChange } = props;
  const options = table.columns.map((column, index) => ({
    value: String(index),
    label: column.trim() === '' ? `Column ${index + 1}` : column,
  }));
  const change = (field: Field, value: string) => {
    const { [field]: _, ...others } = mapping;
    const next = value === '' ? others : { ...others, [field]: Number(value) };
    onChange(next as ColumnSelectsProps<Field>['mapping']);
  };
  return (
    <div className={classes.mapping}>
      {fields.map(({ name, label }) => {
        const column = mapping[name];
        return (
          <NativeSelect
            key={name}
            label={label}
            withAsterisk={required.includes(name)}
            description={exampleOf(table, column)}
            disabled={disabled}
            data={[{ value: '', label: 'No column' }, ...options]}
            value={column === undefined ? '' : String(column)}
            onChange={(event) => change(name, event.currentTarget.value)}
          />
        );
      })}
    </div>
  );
}

const EXAMPLE_LENGTH = 60;

/** Returns the first value of a column, to show that the right one is chosen. */
function exampleOf({ rows }: ImportTable, column: number | undefined): string {
  if (column === undefined) return 'Not in the file';
  const text = rows.map(({ cells }) => cells[column]?.trim() ?? '').find((cell) => cell !== '') ?? '';
  if (text === '') return 'Empty in every row';
  return `Example: “${text.length > EXAMPLE_LENGTH ? `${text.slice(0, EXAMPLE_LENGTH)}…` : text}”`;
}
