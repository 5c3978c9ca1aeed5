import type { SourceWithActivity } from '@sluice/dashboard-api/sources';
import { deliveriesPath } from '../../shell/page-links.ts';
import { Ago } from '../../ui/ago.tsx';
import { LinkedRow } from '../../ui/linked-row.tsx';
import table from '../../ui/table.module.css';
import { useTableKeys } from '../../ui/use-table-keys.ts';
import { EndpointCells, EndpointHeads } from './endpoint-cells.tsx';
import { SourceSwitch } from './source-switch.tsx';

interface SourceTableProps {
  readonly sources: readonly SourceWithActivity[];
  readonly mayChange: boolean;
}

export function SourceTable({ sources, mayChange }: SourceTableProps) {
  const body = useTableKeys();
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <EndpointHeads name="Source" />
          <th>Signing secret</th>
          <th>Active</th>
        </tr>
      </thead>
      <tbody ref={body}>
        {sources.map((source) => {
          const { source_id: id, secret_rotated_at: rotatedAt } = source;
          return (
            <LinkedRow key={id} to={deliveriesPath(id)}>
              <EndpointCells id={id} of={source} to={deliveriesPath(id)} />
              <td data-label="Secret">
                <span>
                  {rotatedAt === null ? 'set ' : 'rotated '}
                  <Ago at={rotatedAt ?? source.created_at} />
                </span>
              </td>
              <td data-label="Active" className={table.whole}>
                <SourceSwitch source={source} mayChange={mayChange} />
              </td>
            </LinkedRow>
          );
        })}
      </tbody>
    </table>
  );
}
