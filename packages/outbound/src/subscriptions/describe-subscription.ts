import type { PauseReason, SubscriptionRecord } from '@sluice/contract/subscription/subscription';
import { formatInstant, instantOrNull } from '@sluice/contract/time/instant';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';

/** A text about what happened, and what to do next. */
const PAUSED: Readonly<Record<PauseReason, string>> = {
  by_admin: 'An admin paused it. Messages wait until an admin resumes it.',
  by_client: 'It was created or changed with "active": false. Messages wait until "active" is true.',
  failing:
    'The receiver has accepted no message for days. One message an hour is tried, and the first success sends all that waits.',
  key_revoked:
    'Its API key was revoked. Create it again with another key, or let an admin adopt it. It is removed after 30 days.',
  key_expired:
    'Its API key has expired. Create it again with another key, or let an admin adopt it. It is removed after 30 days.',
};

/** A subscription as the API returns it. */
export function describeSubscription(subscription: Subscription): SubscriptionRecord {
  const { paused, filter, client, ephemeral, expires_at } = subscription;
  return {
    id: subscription.subscription_id,
    target_url: subscription.target_url,
    events: [...subscription.events],
    name: subscription.name,
    status: paused === undefined ? 'active' : 'paused',
    reason: paused?.reason ?? null,
    reason_detail: paused === undefined ? null : describePause(paused),
    paused_at: instantOrNull(paused?.at),
    ordered: subscription.ordered,
    filter: {
      source_id: filter.source_id ?? null,
      channel_id: filter.channel_id ?? null,
      stage: filter.stage ?? null,
    },
    client: client && {
      platform: client.platform ?? null,
      workflow_name: client.workflow_name ?? null,
      workflow_url: client.workflow_url ?? null,
      mode: client.mode ?? null,
    },
    ephemeral,
    // Zapier subscribes again when this date comes, so only a real one is returned.
    ...(ephemeral && expires_at !== undefined && { expiration_date: formatInstant(expires_at) }),
    created_at: formatInstant(subscription.created_at),
    updated_at: formatInstant(subscription.updated_at),
  };
}

function describePause({ reason, detail }: NonNullable<Subscription['paused']>): string {
  return detail === undefined ? PAUSED[reason] : `${PAUSED[reason]} ${detail}`;
}
