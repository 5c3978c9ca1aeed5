import { NativeSelect } from '@mantine/core';
import type { ImportTable } from '@sluice/import/read/import-table';
import { useState } from 'react';
import { Icon } from '../../ui/icons.tsx';
import { Note } from '../../ui/states.tsx';
import classes from './import.module.css';

interface FileFieldProps {
  /** Calendars are not accepted. */
  readonly csvOnly?: boolean;
  readonly onFile: (file: File) => void;
}

/** A drop area for a file. It is also a button that opens the file picker. */
export function FileField({ csvOnly = false, onFile }: FileFieldProps) {
  const kinds = csvOnly ? 'CSV' : 'CSV or iCalendar';
  const [over, setOver] = useState(false);
  return (
    <label
      className={`${classes.drop} ${over ? classes.over : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer.files;
        if (file !== undefined) onFile(file);
      }}
    >
      <Icon name={csvOnly ? 'lead' : 'events'} size={28} />
      <strong>Choose a {kinds} file, or drop it here</strong>
      <span className="dimmed small">
        UTF-8, up to 10,000 rows{!csvOnly && ' or events'} and 5 MB. A CSV file has its column names in the
        first row. Nothing is uploaded until you check the file.
      </span>
      <input
        type="file"
        accept={csvOnly ? '.csv,text/csv' : '.csv,text/csv,.ics,text/calendar'}
        className="visually-hidden"
        aria-label={`${kinds} file`}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          // Allows the same file to be chosen again after a correction.
          event.currentTarget.value = '';
          if (file !== undefined) onFile(file);
        }}
      />
    </label>
  );
}

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
    <>
      {table.notes?.map((note) => (
        <Note key={note} tone="warn">
          {note}
        </Note>
      ))}
      <div className="grid">
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
    </>
  );
}

const EXAMPLE_LENGTH = 60;

/** Returns the first value of a column, to show that the right one is chosen. */
function exampleOf({ rows }: ImportTable, column: number | undefined): string {
  if (column === undefined) return 'No column chosen';
  const text = rows.map(({ cells }) => cells[column]?.trim() ?? '').find((cell) => cell !== '') ?? '';
  if (text === '') return 'Empty in every row';
  return `Example: “${text.length > EXAMPLE_LENGTH ? `${text.slice(0, EXAMPLE_LENGTH)}…` : text}”`;
}
