import { Button } from '@mantine/core';
import { downloadText } from '../../ui/clipboard.ts';
import { Icon } from '../../ui/icons.tsx';
import table from '../../ui/table.module.css';
import { type BadCell, badRowsCsv } from './bad-rows.ts';
import classes from './import.module.css';
import type { CsvTable } from './read-csv.ts';

const SHOWN = 100;

interface BadRowListProps {
  readonly file: CsvTable;
  readonly bad: readonly BadCell[];
}

/** What is wrong, cell by cell, and the rows as a file to be corrected. */
export function BadRowList({ file, bad }: BadRowListProps) {
  const download = async () =>
    downloadText(`bad-rows-of-${file.fileName.replace(/\.csv$/i, '')}.csv`, await badRowsCsv(file, bad));
  return (
    <div className={classes.stack}>
      <table className={table.table}>
        <thead>
          <tr>
            <th>Row</th>
            <th>Column</th>
            <th>What is wrong</th>
          </tr>
        </thead>
        <tbody>
          {bad.slice(0, SHOWN).map(({ row, column, why }) => (
            <tr key={`${row} ${column} ${why}`}>
              <td data-label="Row" className="number">
                {row}
              </td>
              <td data-label="Column">{column === '' ? <span className="dimmed">–</span> : column}</td>
              <td data-label="What is wrong">{why}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {bad.length > SHOWN && (
        <p className="dimmed small">
          And {(bad.length - SHOWN).toLocaleString('en')} more, which are in the file.
        </p>
      )}
      <Button
        variant="default"
        className={classes.start}
        leftSection={<Icon name="download" size={16} />}
        onClick={() => void download()}
      >
        Download bad rows
      </Button>
    </div>
  );
}
