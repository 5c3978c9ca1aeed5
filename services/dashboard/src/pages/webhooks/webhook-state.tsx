import { Button } from '@mantine/core';
import { WAITING_COUNTED } from '@sluice/contract/subscription/subscription-limits';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { WebhookHealth, WebhookItem } from '@sluice/dashboard-api/webhooks';
import { useWrite } from '../../api/queries.ts';
import { Ago, useNow } from '../../ui/ago.tsx';
import { Chip, type Tone } from '../../ui/chip.tsx';
import type { IconName } from '../../ui/icons.tsx';
import { ErrorNote, Note } from '../../ui/states.tsx';
import { duration } from '../../ui/time.ts';
import { useToast } from '../../ui/toaster.tsx';

type Reason = NonNullable<WebhookItem['reason']>;

const PAUSED: Readonly<
  Record<Reason, { readonly tone: Tone; readonly icon: IconName; readonly word: string }>
> = {
  by_admin: { tone: 'warn', icon: 'pause', word: 'paused' },
  by_client: { tone: 'warn', icon: 'pause', word: 'paused by its key' },
  failing: { tone: 'bad', icon: 'warning', word: 'failing' },
  key_revoked: { tone: 'bad', icon: 'cross', word: 'key revoked' },
  key_expired: { tone: 'bad', icon: 'clock', word: 'key expired' },
};

/** Whether its key has ended, so that an admin must adopt it. */
export function isDead({ reason }: WebhookItem): boolean {
  return reason === 'key_revoked' || reason === 'key_expired';
}

/** Whether the receiver of an active subscription fails while messages wait. */
function isRetrying({ reason, ephemeral, health }: WebhookItem): boolean {
  return reason === null && !ephemeral && health.retrying_since !== null;
}

/** Shows whether a subscription sends, and if not, why. */
export function WebhookState({ webhook }: { readonly webhook: WebhookItem }) {
  const { reason, reason_detail: detail, ephemeral, health } = webhook;
  if (reason !== null) {
    const { tone, icon, word } = PAUSED[reason];
    return (
      <span title={detail ?? undefined}>
        <Chip tone={tone} icon={icon}>
          {word}
        </Chip>
      </span>
    );
  }
  if (isRetrying(webhook)) {
    return (
      <span title={health.last_failure ?? undefined}>
        <Chip tone="warn" icon="rotate">
          retrying
        </Chip>
      </span>
    );
  }
  return (
    <Chip tone="ok" icon="check">
      {ephemeral ? 'test' : 'active'}
    </Chip>
  );
}

const REFRESHES = [ROUTES.webhooks.show, ROUTES.webhooks.list];

/** Says why a subscription sends nothing, with the button that mends it. */
export function WebhookNotice({ webhook }: { readonly webhook: WebhookItem }) {
  const resume = useWrite(ROUTES.webhooks.resume, REFRESHES);
  const adopt = useWrite(ROUTES.webhooks.adopt, REFRESHES);
  const toast = useToast();
  const { id: webhookId, reason, reason_detail: detail } = webhook;
  if (reason === null) return isRetrying(webhook) ? <Retrying webhook={webhook} /> : null;
  const isLost = isDead(webhook);
  const { change, label, said } = isLost
    ? {
        change: adopt,
        label: 'Adopt',
        said: 'Adopted. Changes from now on are sent. Recover sends what was missed.',
      }
    : { change: resume, label: 'Resume', said: 'Resumed. What waits is sent now.' };
  return (
    <Note tone={reason === 'failing' || isLost ? 'bad' : 'warn'}>
      <div className="row-between">
        <span>{detail}</span>
        <Button
          size="xs"
          variant="default"
          loading={change.isPending}
          onClick={() => change.mutate({ params: { webhookId } }, { onSuccess: () => toast(said) })}
        >
          {label}
        </Button>
      </div>
      {change.error !== null && <ErrorNote error={change.error} />}
    </Note>
  );
}

/** Says since when the receiver fails, why, and when the next message is tried. */
function Retrying({ webhook: { health } }: { readonly webhook: WebhookItem }) {
  return (
    <Note tone="warn">
      The receiver first failed <Ago at={health.retrying_since} /> and has accepted no message since.{' '}
      {health.last_failure} Retries continue automatically. Waiting: <Waiting health={health} />.
    </Note>
  );
}

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
function NextMessage({ attempting, next_attempt_at: next }: Omit<Waits, 'waiting'>) {
  if (next !== null) return <NextAttempt at={next} />;
  return attempting > 0 ? <>sending now</> : null;
}

/** How many messages wait, and when the next one is tried. */
export function Waiting({ health }: { readonly health: Waits }) {
  const { waiting, attempting, next_attempt_at } = health;
  if (waiting === 0) return <span className="dimmed">none</span>;
  return (
    <span className="nowrap">
      <span className="number">
        {waiting.toLocaleString('en')}
        {waiting === WAITING_COUNTED && '+'}
      </span>
      {(next_attempt_at !== null || attempting > 0) && ', '}
      <NextMessage attempting={attempting} next_attempt_at={next_attempt_at} />
    </span>
  );
}
