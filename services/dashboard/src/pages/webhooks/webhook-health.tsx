import type { WebhookHealth } from '@sluice/dashboard-api/webhooks';
import { Ago, useNow } from '../../ui/ago.tsx';
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

/** When the next attempt is made. A time that is past would read as if it had been missed. */
export function NextAttempt({ at }: { readonly at: string }) {
  const now = useNow();
  return Date.parse(at) <= Math.max(now, Date.now()) ? (
    <span title="It is sent as soon as its turn comes.">due now</span>
  ) : (
    <>
      next <Ago at={at} />
    </>
  );
}

type Waits = Pick<WebhookHealth, 'waiting' | 'attempting' | 'next_attempt_at'>;

/** When the next message is tried; nothing for a paused subscription. */
export function NextMessage({ attempting, next_attempt_at: next }: Omit<Waits, 'waiting'>) {
  if (next !== null) return <NextAttempt at={next} />;
  return attempting > 0 ? <>sending now</> : null;
}

/** How many messages wait, and when the next one is tried. */
export function Waiting({ health }: { readonly health: Waits }) {
  const { waiting, attempting, next_attempt_at } = health;
  if (waiting === 0) return <span className="dimmed">none</span>;
  return (
    <span className="nowrap">
      <span className="number">{waiting.toLocaleString('en')}</span>
      {(next_attempt_at !== null || attempting > 0) && ', '}
      <NextMessage attempting={attempting} next_attempt_at={next_attempt_at} />
    </span>
  );
}
