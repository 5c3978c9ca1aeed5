import { DAY_MS } from '@sluice/contract/durations';
import type { SourceWithActivity } from '@sluice/dashboard-api/sources';
import { sampleEvent } from '../../samples/sample-body.ts';
import { SAMPLES } from '../../samples/samples.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Card } from '../../ui/page.tsx';
import { CodeTabs } from './code-tabs.tsx';
import { FirstDelivery } from './first-delivery.tsx';
import { SecretField } from './secret-field.tsx';
import classes from './set-up.module.css';

const MONTH_MS = 30 * DAY_MS;

interface SetUpProps {
  readonly source: SourceWithActivity;
  readonly mayChange: boolean;
}

export function SetUp({ source, mayChange }: SetUpProps) {
  return (
    <div className={classes.stack}>
      <Card>
        <dl className={classes.fields}>
          <div className={classes.field}>
            <dt>Endpoint URL</dt>
            <dd className={classes.line}>
              <code className={classes.box} data-testid="endpoint-url">
                {source.endpoint_url}
              </code>
              <CopyButton text={source.endpoint_url} what="endpoint URL" atEdge />
            </dd>
          </div>
          <div className={classes.field}>
            <dt>Signing secret</dt>
            <dd>
              <SecretField source={source} mayChange={mayChange} />
            </dd>
          </div>
        </dl>
      </Card>
      <FirstDelivery source={source} />
      <Card title="Send an event">
        <CodeTabs
          source={source}
          samples={SAMPLES}
          body={sampleEvent(nextMonth())}
          mayInsertSecret={mayChange}
        />
      </Card>
    </div>
  );
}

/** Returns 18:00 a month from now. */
function nextMonth(): string {
  return `${new Date(Date.now() + MONTH_MS).toISOString().slice(0, 10)}T18:00:00+01:00`;
}
