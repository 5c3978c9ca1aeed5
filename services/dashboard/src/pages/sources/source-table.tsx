import type { SourceWithActivity } from '@sluice/dashboard-api/sources';
import { Link, useNavigate } from 'react-router';
import { deliveriesPath } from '../../shell/page-links.ts';
import { Ago } from '../../ui/ago.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import table from '../../ui/table.module.css';
import { useTableKeys } from '../../ui/use-table-keys.ts';
import { Activity } from './activity.tsx';
import { SourceSwitch } from './source-switch.tsx';
import classes from './source-table.module.css';

interface SourceTableProps {
  readonly sources: readonly SourceWithActivity[];
  readonly mayChange: boolean;
}

export function SourceTable({ sources, mayChange }: SourceTableProps) {
  const body = useTableKeys();
  const navigate = useNavigate();
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th>Source</th>
          <th>Endpoint URL</th>
          <th>Last 24 h</th>
          <th>Last delivery</th>
          <th>Signing secret</th>
          <th>Active</th>
        </tr>
      </thead>
      <tbody ref={body}>
        {sources.map((source) => (
          <tr
            key={source.source_id}
            tabIndex={-1}
            // Ignores keys of buttons inside the row.
            onKeyDown={({ key, target, currentTarget }) =>
              key === 'Enter' && target === currentTarget && navigate(deliveriesPath(source.source_id))
            }
          >
            <td className={classes.name}>
              <Link to={deliveriesPath(source.source_id)}>{source.name}</Link>
            </td>
            <td data-label="Endpoint">
              <span className={classes.url}>
                <code className="ellipsis" title={source.endpoint_url}>
                  {shortUrl(source)}
                </code>
                <CopyButton text={source.endpoint_url} what={`endpoint URL of ${source.name}`} />
              </span>
            </td>
            <td data-label="Last 24 h">
              <Activity of={source} />
            </td>
            <td data-label="Last delivery">
              <Ago at={source.last_delivery_at} />
            </td>
            <td data-label="Secret">
              <span>
                {source.secret_rotated_at === null ? 'set ' : 'rotated '}
                <Ago at={source.secret_rotated_at ?? source.created_at} />
              </span>
            </td>
            <td data-label="Active" className={table.whole}>
              <SourceSwitch source={source} mayChange={mayChange} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Shortens the URL to its host and id. The copy button copies all of it. */
function shortUrl({ endpoint_url: url, source_id: id }: SourceWithActivity): string {
  return `${new URL(url).host}/…/${id}`;
}
