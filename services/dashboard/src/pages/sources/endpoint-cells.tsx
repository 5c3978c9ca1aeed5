import type { SourceWithActivity } from '@sluice/dashboard-api/sources';
import { Link } from 'react-router';
import { Ago } from '../../ui/ago.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Activity } from './activity.tsx';
import classes from './source-table.module.css';

/** The heads of the columns that sources and channels have in common. */
export function EndpointHeads({ name }: { readonly name: string }) {
  return (
    <>
      <th>{name}</th>
      <th>Endpoint URL</th>
      <th>Last 24 h</th>
      <th>Last delivery</th>
    </>
  );
}

interface EndpointCellsProps {
  readonly id: string;
  readonly of: Omit<SourceWithActivity, 'source_id'>;
  /** The page of the source or channel. */
  readonly to: string;
}

/** The cells below `EndpointHeads`. */
export function EndpointCells({ id, of, to }: EndpointCellsProps) {
  const { name, endpoint_url: url } = of;
  return (
    <>
      <td className={classes.name}>
        <Link to={to}>{name}</Link>
      </td>
      <td data-label="Endpoint">
        <span className={classes.url}>
          {/* The copy button copies all of it. */}
          <code className="ellipsis" title={url}>
            {`${new URL(url).host}/…/${id}`}
          </code>
          <CopyButton text={url} what={`endpoint URL of ${name}`} />
        </span>
      </td>
      <td data-label="Last 24 h">
        <Activity of={of} />
      </td>
      <td data-label="Last delivery">
        <Ago at={of.last_delivery_at} />
      </td>
    </>
  );
}
