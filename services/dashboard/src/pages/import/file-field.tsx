import { useState } from 'react';
import { Icon } from '../../ui/icons.tsx';
import classes from './import.module.css';

/** A drop area for a file. It is also a button that opens the file picker. */
export function FileField({ onFile }: { readonly onFile: (file: File) => void }) {
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
      <Icon name="events" size={28} />
      <strong>Choose a CSV or iCalendar file, or drop it here</strong>
      <span className="dimmed small">
        UTF-8, up to 10,000 rows or events and 5 MB. A CSV file has its column names in the first row. Nothing
        is uploaded until you check the file.
      </span>
      <input
        type="file"
        accept=".csv,text/csv,.ics,text/calendar"
        className="visually-hidden"
        aria-label="CSV or iCalendar file"
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
