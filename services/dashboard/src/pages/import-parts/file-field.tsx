import { useState } from 'react';
import { Icon } from '../../ui/icons.tsx';
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
