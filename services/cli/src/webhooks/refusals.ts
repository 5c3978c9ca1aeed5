import { formatInstant } from '@sluice/contract/time/instant';
import type { Failure } from '@sluice/outbound/subscriptions/audited-change';
import type { SubscriptionChanged } from '@sluice/outbound/subscriptions/change-subscription';
import type { UnknownInFilter } from '@sluice/outbound/subscriptions/check-filter';
import type { SubscriptionCreated } from '@sluice/outbound/subscriptions/create-subscription';
import type { MessagesRecovered } from '@sluice/outbound/subscriptions/recover-messages';
import type { Redelivered } from '@sluice/outbound/subscriptions/redeliver-message';
import type { SubscriptionTested } from '@sluice/outbound/subscriptions/test-subscription';
import { type CommandFailure, failed, wrongUsage } from '../exit-codes.ts';
import { refusedUrl } from '../refused-url.ts';
import { noSuchWebhook } from './webhook-access.ts';

export type Refused = Failure<
  SubscriptionCreated | SubscriptionChanged | MessagesRecovered | Redelivered | SubscriptionTested
>;

/** The error of a command that has changed nothing. `messageId`: the message that it was about. */
export function refused(outcome: Refused, id: string, messageId = ''): CommandFailure {
  switch (outcome.status) {
    case 'not_found':
      return noSuchWebhook(id);
    case 'changed_meanwhile':
      return failed('The subscription was changed meanwhile. Run this command again.');
    case 'key_revoked':
      throw new Error('a create without a key found its key revoked');
    case 'url_taken':
      return urlTaken('subscription' in outcome ? outcome.subscription : undefined);
    case 'url_refused':
      return refusedUrl('--url', outcome.detail);
    case 'filter_unknown':
      return wrongUsage(`--${outcome.field.replace('_id', '')}: ${FILTER_OPTIONS[outcome.field]}`);
    case 'limit_reached':
      return failed(
        `The account has ${outcome.limit} webhook subscriptions, as many as it may have. Delete one that is not used, or raise SUBSCRIPTION_LIMIT.`,
      );
    case 'in_the_future':
      return wrongUsage(`--since is in the future: it is ${formatInstant(outcome.now)} now.`);
    case 'stopped':
      return failed(`No test was sent. ${STOPPED[outcome.why].replace(/ID$/, id)}`);
    case 'no_message':
      return failed(
        `The subscription has no message ${messageId}, or has not attempted it yet. See: sluice webhook deliveries ${id}`,
      );
    case 'gone':
      return failed(
        'The contents of this message are gone: its record was erased, or it is older than 30 days.',
      );
    case 'test':
      return failed(
        `This is a test. Its contents are not kept: send a new one with sluice webhook test ${id}.`,
      );
    case 'before_takeover':
      return failed(
        `Another API key had this subscription until ${formatInstant(outcome.takenOverAt)}. Older messages are not sent again.`,
      );
  }
}

/** `owned`: the subscription of a key, if a create has met it. */
function urlTaken(
  owned: { readonly subscription_id: string; readonly key_id: string | null } | undefined,
): CommandFailure {
  if (owned === undefined)
    return failed('Another webhook subscription of the account has this URL. Change or delete that one.');
  const { subscription_id: id, key_id } = owned;
  return failed(
    `The API key ${key_id} has subscribed this URL: ${id}. Change it with: sluice webhook update ${id}`,
  );
}

const FILTER_OPTIONS = {
  source_id: 'The account has no such source. See: sluice source list',
  channel_id: 'The account has no such channel. See: sluice channel list',
  stage: 'The account has no such stage.',
} as const satisfies Record<UnknownInFilter['field'], string>;

/** Why a subscription is not tested, and what to do. */
const STOPPED: Readonly<Record<(SubscriptionTested & { status: 'stopped' })['why'], string>> = {
  by_admin: 'The subscription is paused. Resume it: sluice webhook resume ID',
  by_client: 'The subscription is paused. Resume it: sluice webhook resume ID',
  key_revoked: 'Its API key was revoked. Adopt it: sluice webhook adopt ID',
  key_expired: 'Its API key has expired. Adopt it: sluice webhook adopt ID',
  deleted: 'The subscription was deleted.',
  ended: 'The time of the subscription is over. Create it again.',
};
