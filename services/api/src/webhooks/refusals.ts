import { formatInstant } from '@sluice/contract/instant';
import type { SubscriptionFilter } from '@sluice/store/subscriptions/subscription-document';
import { type Refusal, refuse } from '../http/result.ts';

/** The rejections of webhook subscriptions that do not depend on who asks. */

export function limitReached(limit: number): Refusal {
  return refuse(
    'subscription_limit_reached',
    `The account has ${limit} webhook subscriptions, as many as it may have. Delete one that is not used.`,
  );
}

export function tooManyWaiting(limit: number): Refusal {
  return refuse(
    'conflict',
    `Over ${limit} messages wait for this subscription. Recover again once they are delivered.`,
  );
}

/** The rejection of a `since` that lies in the future. `now`: milliseconds since the Unix epoch. */
export function sinceInTheFuture(now: number): Refusal {
  const detail = `This is in the future: it is ${formatInstant(now)} now. Send a time in the past.`;
  return refuse('validation_failed', detail, { errors: [{ pointer: '/since', detail }] });
}

/** The rejection of a URL. `name`: the field in which the client sent it. */
export function urlRefused(detail: string, name = 'target_url'): Refusal {
  return refuse('validation_failed', detail, { errors: [{ pointer: `/${name}`, detail }] });
}

const LISTS: Readonly<Record<keyof SubscriptionFilter, { readonly noun: string; readonly path: string }>> = {
  source_id: { noun: 'event source', path: '/api/public/sources' },
  channel_id: { noun: 'channel', path: '/api/public/channels' },
  stage: { noun: 'pipeline stage', path: '/api/public/pipeline-stages' },
};

/** The rejection of a filter by something that the account does not have. */
export function filterUnknown(field: keyof SubscriptionFilter): Refusal {
  const { noun, path } = LISTS[field];
  const detail = `This account has no ${noun} with this id, or it was deleted. GET ${path} lists the ids.`;
  return refuse('validation_failed', detail, { errors: [{ pointer: `/filter/${field}`, detail }] });
}

/** A test was about no record, and its made-up contents are not kept. */
export const TEST_NOT_KEPT = refuse(
  'conflict',
  'This is a test. Its contents are not kept: send a new test.',
);

/** A message whose contents no longer exist cannot be sent again. */
export const CONTENTS_GONE = refuse(
  'not_found',
  'The contents of this message are gone: its record was erased, or it is older than 30 days.',
);
