import { formatInstant } from '@sluice/contract/time/instant';
import type { Failure } from '@sluice/outbound/subscriptions/audited-change';
import type { SubscriptionChanged } from '@sluice/outbound/subscriptions/change-subscription';
import type { SubscriptionCreated } from '@sluice/outbound/subscriptions/create-subscription';
import type { MessagesRecovered } from '@sluice/outbound/subscriptions/recover-messages';
import type { Redelivered } from '@sluice/outbound/subscriptions/redeliver-message';
import type { SubscriptionTested } from '@sluice/outbound/subscriptions/test-subscription';
import type { SubscriptionFilter } from '@sluice/store/subscriptions/subscription-document';
import { notFound, type Refusal, refuse } from '../http/result.ts';

/** What a request about a webhook subscription leads to, of an admin or an API key. */
type Outcome =
  | SubscriptionCreated
  | SubscriptionChanged
  | MessagesRecovered
  | Redelivered
  | SubscriptionTested;

/** An outcome that has changed nothing. */
export type Refused = Failure<Outcome>;

/** The rejections that depend on who asks. */
export interface Voice {
  readonly notFound: Refusal;
  readonly noMessage: Refusal;
  readonly urlTaken: Refusal;
  /** The message is older than the takeover by another key. */
  readonly beforeTakeover: (sentence: string) => Refusal;
}

/** The rejections for an admin, who reaches the subscriptions of all keys. */
export const BY_ADMIN: Voice = {
  notFound: notFound('webhook subscription'),
  noMessage: refuse('not_found', 'This message was not attempted yet, or is older than 30 days.'),
  urlTaken: urlRefused(
    'Another webhook subscription of this account has this URL. Change that subscription.',
  ),
  beforeTakeover: (sentence) => refuse('conflict', `${sentence} Older messages are not sent again.`),
};

/** The rejection of a request that has changed nothing. `urlName`: the field in which the client sent the URL. */
export function refusalOf(outcome: Refused, voice: Voice, urlName?: string): Refusal {
  switch (outcome.status) {
    case 'not_found':
      return voice.notFound;
    case 'changed_meanwhile':
      return refuse(
        'changed_meanwhile',
        'The subscription was changed or deleted since you read it. Read it again, then repeat your request.',
      );
    case 'key_revoked':
      return refuse('key_revoked', 'This API key was revoked. Create a new one in the dashboard.');
    case 'url_taken':
      return voice.urlTaken;
    case 'url_refused':
      return urlRefused(outcome.detail, urlName);
    case 'filter_unknown':
      return filterUnknown(outcome.field);
    case 'limit_reached':
      return refuse(
        'subscription_limit_reached',
        `The account has ${outcome.limit} webhook subscriptions, as many as it may have. Delete one that is not used.`,
      );
    case 'in_the_future':
      return sinceInTheFuture(outcome.now);
    case 'stopped':
      return refuse('subscription_paused', TEST_STOPPED[outcome.why]);
    case 'no_message':
      return voice.noMessage;
    case 'gone':
      return refuse(
        'not_found',
        'The contents of this message are gone: its record was erased, or it is older than 30 days.',
      );
    case 'test':
      return refuse('conflict', 'This is a test. Its contents are not kept: send a new test.');
    case 'before_takeover':
      return voice.beforeTakeover(
        `Another API key had this subscription until ${formatInstant(outcome.takenOverAt)}.`,
      );
  }
}

/** Why a subscription is not tested, and what to do. */
const TEST_STOPPED: Readonly<Record<(SubscriptionTested & { status: 'stopped' })['why'], string>> = {
  by_admin: 'An admin paused this subscription, so no test was sent. Ask an admin to resume it.',
  by_client: 'This subscription is paused, so no test was sent. Set "active" to true, then test it.',
  key_revoked: 'The API key of this subscription was revoked, so no test was sent. An admin can adopt it.',
  key_expired: 'The API key of this subscription has expired, so no test was sent. An admin can adopt it.',
  deleted: 'This subscription was deleted, so no test was sent.',
  ended: 'The time of this subscription is over, so no test was sent. Create it again.',
};

/** `now`: milliseconds since the Unix epoch. */
function sinceInTheFuture(now: number): Refusal {
  const detail = `This is in the future: it is ${formatInstant(now)} now. Send a time in the past.`;
  return refuse('validation_failed', detail, { errors: [{ pointer: '/since', detail }] });
}

function urlRefused(detail: string, name = 'target_url'): Refusal {
  return refuse('validation_failed', detail, { errors: [{ pointer: `/${name}`, detail }] });
}

const LISTS: Readonly<Record<keyof SubscriptionFilter, { readonly noun: string; readonly path: string }>> = {
  source_id: { noun: 'event source', path: '/api/public/sources' },
  channel_id: { noun: 'channel', path: '/api/public/channels' },
  stage: { noun: 'pipeline stage', path: '/api/public/pipeline-stages' },
};

/** The rejection of a filter by something that the account does not have. */
function filterUnknown(field: keyof SubscriptionFilter): Refusal {
  const { noun, path } = LISTS[field];
  const detail = `This account has no ${noun} with this id, or it was deleted. GET ${path} lists the ids.`;
  return refuse('validation_failed', detail, { errors: [{ pointer: `/filter/${field}`, detail }] });
}
