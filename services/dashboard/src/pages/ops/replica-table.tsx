import type { Replica } from '@sluice/dashboard-api/ops';
import { Ago } from '../../ui/ago.tsx';
import { Chip } from '../../ui/chip.tsx';
import table from '../../ui/table.module.css';
import type { MissingKind } from './missing-kinds.ts';

interface ReplicaTableProps {
  readonly replicas: readonly Replica[];
  readonly missing: readonly MissingKind[];
}

export function ReplicaTable({ replicas, missing }: ReplicaTableProps) {
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th>Replica</th>
          <th>Kind</th>
          <th>Health</th>
          <th>Running since</th>
          <th>Last heartbeat</th>
        </tr>
      </thead>
      <tbody>
        {replicas.map((replica) => (
          <tr key={replica.replica_id}>
            <td>
              <code>
                {replica.host}:{replica.pid}
              </code>
            </td>
            <td data-label="Kind">{replica.kind}</td>
            <td data-label="Health">
              <Health replica={replica} />
            </td>
            <td data-label="Running since">
              <Ago at={replica.started_at} />
            </td>
            <td data-label="Last heartbeat">
              <Ago at={replica.last_seen_at} />
            </td>
          </tr>
        ))}
        {missing.map(({ kind, isSure, meaning }) => (
          <tr key={kind}>
            <td>
              <span className="dimmed">none</span>
            </td>
            <td data-label="Kind">{kind}</td>
            <td data-label="Health" colSpan={3}>
              <span>
                <Chip tone={isSure ? 'bad' : 'warn'} icon={isSure ? 'cross' : 'warning'}>
                  none reports
                </Chip>{' '}
                <span className="dimmed small">{meaning}</span>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Health({ replica }: { readonly replica: Replica }) {
  if (replica.gone) {
    return (
      <Chip tone="bad" icon="cross">
        gone
      </Chip>
    );
  }
  return replica.ready ? (
    <Chip tone="ok" icon="check">
      ready
    </Chip>
  ) : (
    <span>
      <Chip tone="warn" icon="warning">
        not ready
      </Chip>{' '}
      <span className="dimmed small">{replica.trouble}</span>
    </span>
  );
}
