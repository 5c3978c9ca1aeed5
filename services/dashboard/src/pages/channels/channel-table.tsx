import type { ChannelWithActivity } from '@sluice/dashboard-api/channels';
import { Link, useNavigate } from 'react-router';
import { channelPath } from '../../shell/page-links.ts';
import { Ago } from '../../ui/ago.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import table from '../../ui/table.module.css';
import { useTableKeys } from '../../ui/use-table-keys.ts';
import { Activity } from '../sources/activity.tsx';
import sources from '../sources/source-table.module.css';
import { ChannelSwitch } from './channel-switch.tsx';

interface ChannelTableProps {
  readonly channels: readonly ChannelWithActivity[];
  readonly mayChange: boolean;
}

export function ChannelTable({ channels, mayChange }: ChannelTableProps) {
  const body = useTableKeys();
  const navigate = useNavigate();
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th>Channel</th>
          <th>Endpoint URL</th>
          <th>Last 24 h</th>
          <th>Last delivery</th>
          <th>Replies go to</th>
          <th>Active</th>
        </tr>
      </thead>
      <tbody ref={body}>
        {channels.map((channel) => {
          const { channel_id: id, name, endpoint_url: url, reply_url: replyUrl } = channel;
          return (
            <tr
              key={id}
              tabIndex={-1}
              // Ignores keys of buttons inside the row.
              onKeyDown={({ key, target, currentTarget }) =>
                key === 'Enter' && target === currentTarget && navigate(channelPath(id, 'setup'))
              }
            >
              <td className={sources.name}>
                <Link to={channelPath(id, 'setup')}>{name}</Link>
              </td>
              <td data-label="Endpoint">
                <span className={sources.url}>
                  <code className="ellipsis" title={url}>
                    {`${new URL(url).host}/…/${id}`}
                  </code>
                  <CopyButton text={url} what={`endpoint URL of ${name}`} />
                </span>
              </td>
              <td data-label="Last 24 h">
                <Activity of={channel} />
              </td>
              <td data-label="Last delivery">
                <Ago at={channel.last_delivery_at} />
              </td>
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
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
