import { Button } from '@mantine/core';
import type { ImportTable } from '@sluice/import/read/import-table';
import { downloadText } from '../../ui/copy.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Table } from '../../ui/table.tsx';
import { type BadCell, badRowsCsv } from './bad-rows.ts';

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
  const [row, column] =
    file.format === 'csv' ? (['Row', 'Column'] as const) : (['Event', 'Property'] as const);
  return (
    <div className="stack">
      <Table
        items={bad.slice(0, SHOWN)}
        keyOf={(one) => `${one.row} ${one.column} ${one.why}`}
        columns={[
          {
            head: row,
            className: 'number',
            cell: (one) => (
              <>
                {one.row}
                {one.line !== undefined && <span className="dimmed small nowrap"> line {one.line}</span>}
              </>
            ),
          },
          {
            head: column,
            cell: (one) => (one.column === '' ? <span className="dimmed">–</span> : one.column),
          },
          { head: 'What is wrong', cell: ({ why }) => why },
        ]}
      />
      {bad.length > SHOWN && (
        <p className="dimmed small">{(bad.length - SHOWN).toLocaleString('en')} more are in the download.</p>
      )}
      <Button
        variant="default"
        className="start"
        leftSection={<Icon name="download" size={16} />}
        onClick={() => void download()}
      >
        Download bad rows
      </Button>
    </div>
  );
}
