import type { WebhookMessageItem } from '@sluice/dashboard-api/webhooks';
import { Ago } from '../../ui/ago.tsx';
import { Chip, StatusChip } from '../../ui/chip.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { duration } from '../../ui/time.ts';
import classes from './message-table.module.css';

/** The attempts of a message, oldest first: when, how long, and what the receiver answered. */
export function AttemptList({ attempts }: { readonly attempts: WebhookMessageItem['attempts'] }) {
  if (attempts.length === 0) return <p className="dimmed">No attempt yet.</p>;
  return (
    <ol className={classes.attempts}>
      {attempts.map((attempt) => (
        <li key={attempt.at} className={classes.attempt}>
          <div className={classes.head}>
            {attempt.status === null ? (
              <Chip tone="bad" icon="warning">
                {attempt.code.replaceAll('_', ' ')}
              </Chip>
            ) : (
              <StatusChip status={attempt.status} />
            )}
            <Ago at={attempt.at} inLog />
            <span className="dimmed">took {duration(attempt.duration_ms)}</span>
            {attempt.redelivery && <Chip tone="quiet">resent</Chip>}
          </div>
          <span>{attempt.detail}</span>
          {attempt.response !== null && attempt.response !== '' && (
            <CodeBlock code={attempt.response} what="response" title="Start of the response" wrap />
          )}
        </li>
      ))}
    </ol>
  );
}
