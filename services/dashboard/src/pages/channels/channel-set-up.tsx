import type { ChannelWithActivity } from '@sluice/dashboard-api/channels';
import { Link } from 'react-router';
import { sampleMessage } from '../../samples/sample-body.ts';
import { PLAIN_SAMPLES } from '../../samples/samples.ts';
import { channelPath } from '../../shell/page-links.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Note } from '../../ui/note.tsx';
import { Card } from '../../ui/page.tsx';
import { CodeTabs } from '../source/code-tabs.tsx';
import { FirstDelivery } from '../source/first-delivery.tsx';
import { SecretField } from '../source/secret-field.tsx';
import classes from '../source/set-up.module.css';
import { asSource } from './as-source.ts';

interface ChannelSetUpProps {
  readonly channel: ChannelWithActivity;
  readonly mayChange: boolean;
}

export function ChannelSetUp({ channel, mayChange }: ChannelSetUpProps) {
  const source = asSource(channel);
  const { channel_id: id, endpoint_url: url, reply_url: replyUrl } = channel;
  return (
    <div className={classes.stack}>
      <Card>
        <dl className={classes.fields}>
          <div className={classes.field}>
            <dt>Endpoint URL</dt>
            <dd className={classes.line}>
              <code className={classes.box} data-testid="endpoint-url">
                {url}
              </code>
              <CopyButton text={url} what="endpoint URL" atEdge />
            </dd>
          </div>
          <div className={classes.field}>
            <dt>Signing secret</dt>
            <dd>
              <SecretField what="channel" source={source} mayChange={mayChange} />
            </dd>
          </div>
        </dl>
      </Card>
      <FirstDelivery source={source} />
      {replyUrl === null && mayChange && (
        <Note tone="info">
          Agents can reply once the channel has a reply URL.{' '}
          <Link to={channelPath(id, 'settings')}>Set the reply URL</Link>
        </Note>
      )}
      <Card title="Send a message">
        <CodeTabs
          source={source}
          samples={PLAIN_SAMPLES}
          body={sampleMessage()}
          mayInsertSecret={mayChange}
        />
      </Card>
    </div>
  );
}
