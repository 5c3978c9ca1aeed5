import type { WebhookItem } from '@sluice/dashboard-api/webhooks';
import { Chip, type Tone } from '../../ui/chip.tsx';
import type { IconName } from '../../ui/icons.tsx';

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

/** Whether the receiver of an active subscription fails while messages wait. API servers of earlier versions do not tell. */
export function isRetrying({ reason, ephemeral, health }: WebhookItem): boolean {
  return reason === null && !ephemeral && health.retrying_since != null;
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
