import { Button } from '@mantine/core';
import type { DeadLetter } from '@sluice/dashboard-api/ops';
import { Ago } from '../../ui/ago.tsx';
import table from '../../ui/table.module.css';
import classes from './ops.module.css';

interface LetterTableProps {
  readonly items: readonly DeadLetter[];
  readonly isRetrying: (letter: DeadLetter) => boolean;
  readonly onRetry: (letter: DeadLetter) => void;
  readonly onDrop: (letter: DeadLetter) => void;
}

export function LetterTable({ items, isRetrying, onRetry, onDrop }: LetterTableProps) {
  return (
    <table className={`${table.table} ${classes.inset}`}>
      <thead>
        <tr>
          <th>Action</th>
          <th>Why</th>
          <th>Failed</th>
          <th className={table.end}>Actions</th>
        </tr>
      </thead>
      <tbody>
        {items.map((letter) => (
          <tr key={letter.delivery_id}>
            <td>
              <strong>
                {letter.action} {letter.title}
              </strong>
              <br />
              <code className="dimmed">{letter.delivery_id}</code>
            </td>
            <td data-label="Why">{letter.reason}</td>
            <td data-label="Failed">
              <Ago at={letter.failed_at} inLog />
            </td>
            <td className={table.end}>
              <span className={classes.buttons}>
                <Button
                  size="xs"
                  variant="default"
                  loading={isRetrying(letter)}
                  onClick={() => onRetry(letter)}
                >
                  Retry
                </Button>
                <Button size="xs" variant="outline" color="danger" onClick={() => onDrop(letter)}>
                  Drop
                </Button>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
