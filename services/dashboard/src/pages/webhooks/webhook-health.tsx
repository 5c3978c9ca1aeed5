import type { WebhookHealth } from '@sluice/dashboard-api/webhooks';
import { Ago } from '../../ui/ago.tsx';
import { duration } from '../../ui/time.ts';

/** Success and speed of the last 24 hours. */
export function SuccessRate({ health }: { readonly health: WebhookHealth }) {
  const { success_ratio: ratio, p95_ms: p95 } = health;
  if (ratio === null) return <span className="dimmed">no attempt</span>;
  return (
    <span className="number nowrap" title={`95 % of the attempts took at most ${duration(p95)}`}>
      {`${percent(ratio)} in ${duration(p95)}`}
    </span>
  );
}

/** A ratio below 1 is never shown as 100 %. */
function percent(ratio: number): string {
  return `${Math.floor(ratio * 1000) / 10} %`;
}

/** How many messages wait, and when the next one is tried. */
export function Waiting({ health }: { readonly health: WebhookHealth }) {
  const { waiting, next_attempt_at: next } = health;
  if (waiting === 0) return <span className="dimmed">none</span>;
  return (
    <span className="nowrap">
      <span className="number">{waiting.toLocaleString('en')}</span>
      {next !== null && (
        <>
          {', next '}
          <Ago at={next} />
        </>
      )}
    </span>
  );
}
