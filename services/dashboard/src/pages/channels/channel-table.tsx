import type { ChannelWithActivity } from '@sluice/dashboard-api/channels';
import { Link } from 'react-router';
import { channelPath } from '../../shell/page-links.ts';
import { LinkedRow } from '../../ui/linked-row.tsx';
import table from '../../ui/table.module.css';
import { useTableKeys } from '../../ui/use-table-keys.ts';
import { EndpointCells, EndpointHeads } from '../sources/endpoint-cells.tsx';
import { ChannelSwitch } from './channel-switch.tsx';

interface ChannelTableProps {
  readonly channels: readonly ChannelWithActivity[];
  readonly mayChange: boolean;
}

export function ChannelTable({ channels, mayChange }: ChannelTableProps) {
  const body = useTableKeys();
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <EndpointHeads name="Channel" />
          <th>Replies go to</th>
          <th>Active</th>
        </tr>
      </thead>
      <tbody ref={body}>
        {channels.map((channel) => {
          const { channel_id: id, reply_url: replyUrl } = channel;
          return (
            <LinkedRow key={id} to={channelPath(id, 'setup')}>
              <EndpointCells id={id} of={channel} to={channelPath(id, 'setup')} />
              <td data-label="Replies">
                {replyUrl === null ? (
                  <Link to={channelPath(id, 'settings')}>Set the reply URL</Link>
                ) : (
                  <span title={replyUrl}>{new URL(replyUrl).host}</span>
                )}
              </td>
              <td data-label="Active" className={table.whole}>
                <ChannelSwitch channel={channel} mayChange={mayChange} />
              </td>
            </LinkedRow>
          );
        })}
      </tbody>
    </table>
  );
}
