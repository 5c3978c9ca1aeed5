import { Button } from '@mantine/core';
import type { ImportTable } from '@sluice/import/read/import-table';
import { downloadText } from '../../ui/clipboard.ts';
import { Icon } from '../../ui/icons.tsx';
import table from '../../ui/table.module.css';
import { type BadCell, badRowsCsv } from './bad-rows.ts';
import classes from './import.module.css';

const SHOWN = 100;

interface BadRowListProps {
  readonly file: ImportTable;
  readonly bad: readonly BadCell[];
}

/** Shows each error, and offers the bad rows as a file to correct. */
export function BadRowList({ file, bad }: BadRowListProps) {
  const download = async () =>
    downloadText(
      `bad-rows-of-${file.fileName.replace(/\.(csv|ics)$/i, '')}.csv`,
      await badRowsCsv(file, bad),
    );
  const [row, column] = file.format === 'csv' ? ['Row', 'Column'] : ['Event', 'Property'];
  return (
    <div className={classes.stack}>
      <table className={table.table}>
        <thead>
          <tr>
            <th>{row}</th>
            <th>{column}</th>
            <th>What is wrong</th>
          </tr>
        </thead>
        <tbody>
          {bad.slice(0, SHOWN).map((one) => (
            <tr key={`${one.row} ${one.column} ${one.why}`}>
              <td data-label={row} className="number">
                {one.row}
                {one.line !== undefined && <span className="dimmed small nowrap"> line {one.line}</span>}
              </td>
              <td data-label={column}>
                {one.column === '' ? <span className="dimmed">–</span> : one.column}
              </td>
              <td data-label="What is wrong">{one.why}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {bad.length > SHOWN && (
        <p className="dimmed small">{(bad.length - SHOWN).toLocaleString('en')} more are in the download.</p>
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
