import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Source, SourceWithActivity } from '@sluice/dashboard-api/sources';
import { Link } from 'react-router';
import { useRead } from '../../api/queries.ts';
import { LanguageChoice, useLanguage } from '../../samples/language-choice.tsx';
import { type Sample, SECRET_VARIABLE } from '../../samples/sample.ts';
import { deliveriesPath } from '../../shell/page-links.ts';
import { Ago } from '../../ui/ago.tsx';
import { outcomeWord, StatusChip } from '../../ui/chip.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { Card } from '../../ui/page.tsx';
import { Switch } from '../../ui/switch.ts';
import { useSecret } from './secret-field.tsx';
import classes from './set-up.module.css';

interface CodeTabsProps {
  readonly source: Pick<Source, 'source_id' | 'endpoint_url'>;
  readonly samples: readonly [Sample, ...Sample[]];
  /** The body that the code sends. */
  readonly body: string;
  readonly mayInsertSecret: boolean;
}

/**
 * Shows code samples that work when pasted. The language is remembered. The secret comes from the environment unless
 * requested.
 */
export function CodeTabs({ source, samples, body, mayInsertSecret }: CodeTabsProps) {
  const { sample, setLanguage } = useLanguage(samples);
  const { secret, isPending, reveal, hide } = useSecret(source.source_id);
  const code = sample.code({ endpointUrl: source.endpoint_url, secret, body });
  return (
    <div className="stack-small">
      <div className="row-between">
        <div className={classes.languages}>
          <LanguageChoice samples={samples} chosen={sample} onChange={setLanguage} />
        </div>
        {mayInsertSecret && (
          <Switch
            label="Insert the secret for 30 s"
            checked={secret !== null}
            disabled={isPending}
            onChange={(event) => (event.currentTarget.checked ? reveal() : hide())}
          />
        )}
      </div>
      <CodeBlock
        title={sample.file === 'a shell' ? 'Paste into a shell' : `${sample.file} · run with: ${sample.run}`}
        code={code}
        what="code"
      />
      {secret === null && (
        <p className="dimmed small">
          {sample.id === 'curl' ? (
            <>
              The code asks for the secret, or reads it from <code>{SECRET_VARIABLE}</code>.
            </>
          ) : (
            <>
              The code reads the secret from the environment. Run{' '}
              <code>export {SECRET_VARIABLE}='whsec_…'</code> first.
            </>
          )}{' '}
          The signature covers the timestamp, a dot and the exact bytes of the body.
        </p>
      )}
    </div>
  );
}

const WAITING_MS = 1500;
const SEEN_MS = 5000;

interface FirstDeliveryProps {
  readonly source: Pick<SourceWithActivity, 'source_id' | 'last_delivery_at'>;
  /** Whether the page has code that sends one. */
  readonly hasCode: boolean;
}

/** Waits for the first delivery, then shows it. */
export function FirstDelivery({ source, hasCode }: FirstDeliveryProps) {
  const latest = useRead(
    ROUTES.deliveries.list,
    { query: { source_id: source.source_id, limit: 1 } },
    { everyMs: source.last_delivery_at === null ? WAITING_MS : SEEN_MS },
  );
  const delivery = latest.data?.items[0];
  return (
    <Card>
      <div className="row" role="status">
        {delivery === undefined ? (
          <>
            <span className={classes.pulse} aria-hidden="true" />
            <span>
              Waiting for the first delivery… {hasCode && 'Paste the code below into a shell. '}This line
              updates automatically.
            </span>
          </>
        ) : (
          <>
            <StatusChip status={delivery.http_status} />
            <span>
              Last delivery <Ago at={delivery.received_at} />:{' '}
              {delivery.action ?? outcomeWord(delivery.outcome)}{' '}
              {delivery.title !== null && <strong>{delivery.title}</strong>}
            </span>
            <Link to={deliveriesPath(source.source_id, { delivery: delivery.delivery_id })}>Open</Link>
          </>
        )}
      </div>
    </Card>
  );
}
