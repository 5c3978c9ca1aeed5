import { DAY_MS } from '@sluice/contract/time/durations';
import { OWN_PRESET } from '@sluice/signature/sender/sender';
import { Link } from 'react-router';
import { PLAIN_SAMPLES, SAMPLES, sampleEvent, sampleMessage } from '../../samples/samples.ts';
import { endpointPath } from '../../shell/page-links.ts';
import { CopyButton } from '../../ui/copy.tsx';
import { Facts } from '../../ui/facts.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Card } from '../../ui/page.tsx';
import { Note } from '../../ui/states.tsx';
import { CodeTabs, FirstDelivery } from './code-tabs.tsx';
import { asSource, type Endpoint } from './endpoint.ts';
import { SecretField } from './secret-field.tsx';
import { SenderField } from './sender-field.tsx';
import classes from './set-up.module.css';

const SenderSteps = onDemand(async () => (await import('./sender-steps.tsx')).SenderSteps);

const UnreadIds = onDemand(async () => (await import('./unread-ids.tsx')).UnreadIds);

const MONTH_MS = 30 * DAY_MS;

interface SetUpProps {
  readonly endpoint: Endpoint;
  readonly mayChange: boolean;
}

export function SetUp({ endpoint, mayChange }: SetUpProps) {
  const source = asSource(endpoint);
  const isChannel = 'channel_id' in endpoint;
  const isForeign = source.sender !== OWN_PRESET;
  return (
    <div className="stack">
      <Card>
        <Facts
          className={classes.fields}
          of={{
            Sender: !isChannel && <SenderField source={source} mayChange={mayChange} />,
            'Endpoint URL': (
              <span className="line">
                <code className={classes.box} data-testid="endpoint-url">
                  {source.endpoint_url}
                </code>
                <CopyButton text={source.endpoint_url} what="endpoint URL" atEdge />
              </span>
            ),
            'Signing secret': (
              <div className="stack-small">
                <SecretField source={source} mayChange={mayChange} />
              </div>
            ),
          }}
        />
      </Card>
      <FirstDelivery source={source} hasCode={!isForeign} />
      {!isForeign && 'external_ids' in source && source.external_ids === false && (
        <UnreadIds sourceId={source.source_id} />
      )}
      {isChannel && endpoint.reply_url === null && mayChange && (
        <Note tone="info">
          Agents can reply once the channel has a reply URL.{' '}
          <Link to={endpointPath(endpoint.channel_id, 'settings')}>Set the reply URL</Link>
        </Note>
      )}
      {isForeign ? (
        <SenderSteps source={source} mayChange={mayChange} />
      ) : (
        <Card title={isChannel ? 'Send a message' : 'Send an event'}>
          <CodeTabs
            source={source}
            samples={isChannel ? PLAIN_SAMPLES : SAMPLES}
            body={isChannel ? sampleMessage() : sampleEvent(nextMonth())}
            mayInsertSecret={mayChange}
          />
        </Card>
      )}
    </div>
  );
}

/** Returns 18:00 a month from now. */
function nextMonth(): string {
  return `${new Date(Date.now() + MONTH_MS).toISOString().slice(0, 10)}T18:00:00+01:00`;
}
