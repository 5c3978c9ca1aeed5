import type { MessageStatus } from '@sluice/contract/subscription/webhook-delivery';
import type { WebhookMessage } from '@sluice/store/outbound/webhook-message';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import type { WaitingStatus } from '../log/waiting.ts';
import type { Entry } from '../queue/turn.ts';
import type { SubscriptionDeps } from './deps.ts';
import { findReached, type Reached } from './find-reached.ts';

type ReadDeps = Pick<SubscriptionDeps, 'subscriptions' | 'webhookMessages' | 'outbox' | 'now'>;

/** The place of a message in the list, which is sorted by both, newest first. */
export type MessagePlace = Pick<WebhookMessage, 'created_at' | 'message_id'>;

interface MessagePageRequest extends Reached {
  readonly status?: MessageStatus | undefined;
  /** `next` of the previous page. */
  readonly cursor?: MessagePlace | undefined;
  readonly limit: number;
}

type MessagePage =
  | {
      readonly status: 'page';
      readonly messages: readonly WebhookMessage[];
      /** The cursor of the next page; null: there is none. */
      readonly next: MessagePlace | null;
    }
  | { readonly status: 'not_found' };

/**
 * Reads the messages of a subscription, newest first: the log, and what waits without an attempt. The latter are
 * `pending`. Throws if MongoDB or Redis fails.
 */
export async function pageMessages(deps: ReadDeps, request: MessagePageRequest): Promise<MessagePage> {
  const subscription = await findReached(deps, request);
  if (subscription === undefined) return { status: 'not_found' };
  let { cursor } = request;
  while (true) {
    const { messages, end } = await readOnce(deps, subscription, { ...request, cursor });
    const page = messages.slice(0, request.limit);
    const more = messages.length > request.limit || end !== undefined;
    if (page.length > 0 || end === undefined) {
      const timed = await withNextAttempts(deps, subscription, page);
      return { status: 'page', messages: timed, next: more ? placeOf(page.at(-1)) : null };
    }
    cursor = end;
  }
}

interface ChangedMessagesRequest extends Reached {
  readonly status?: MessageStatus | undefined;
  readonly descending: boolean;
  /** Earliest change, included. Milliseconds since the Unix epoch. */
  readonly updatedSince?: number | undefined;
  /** The last message of the previous page. */
  readonly after?: { readonly at: number; readonly id: string } | undefined;
  readonly limit: number;
}

type ChangedMessages =
  | { readonly status: 'page'; readonly messages: readonly WebhookMessage[]; readonly more: boolean }
  | { readonly status: 'not_found' };

/**
 * Reads the log of a subscription in the order of changes. What waits without an attempt is not in it: it changes when it is
 * attempted. Throws if MongoDB or Redis fails.
 */
export async function pageChangedMessages(
  deps: ReadDeps,
  request: ChangedMessagesRequest,
): Promise<ChangedMessages> {
  const subscription = await findReached(deps, request);
  if (subscription === undefined) return { status: 'not_found' };
  const { subscription_id } = subscription;
  const { status, descending, updatedSince, after, limit } = request;
  // One more than the page, to know whether another follows.
  const found = await deps.webhookMessages.pageChangedMessages({
    ...{ subscription_id, status, descending, updatedSince, after },
    limit: limit + 1,
  });
  const messages = await withNextAttempts(deps, subscription, found.slice(0, limit));
  return { status: 'page', messages, more: found.length > limit };
}

/** The log knows when a message is due. Only the subscription knows whether its receiver may get one then. */
export async function withNextAttempts(
  { outbox }: Pick<ReadDeps, 'outbox'>,
  subscription: Subscription,
  messages: readonly WebhookMessage[],
): Promise<readonly WebhookMessage[]> {
  if (!messages.some(({ status }) => status === 'pending')) return messages;
  const { account_id, subscription_id } = subscription;
  const [waits] = await outbox.status(account_id, [subscription_id]);
  return messages.map((message) =>
    message.status === 'pending'
      ? { ...message, next_attempt_at: earliestAttempt(message, subscription, waits) }
      : message,
  );
}

/** The messages after the cursor, up to `end`; undefined: all of them. */
async function readOnce(
  deps: ReadDeps,
  { account_id, subscription_id }: Subscription,
  { status, cursor, limit }: MessagePageRequest,
): Promise<{ readonly messages: readonly WebhookMessage[]; readonly end: MessagePlace | undefined }> {
  // One more than the page, to know whether another follows.
  const most = limit + 1;
  const owned = { account_id, subscription_id };
  // First what waits: a message waits until its attempt is in the log.
  const waiting =
    status === undefined || status === 'pending' ? await waitingMessages(deps, owned, cursor, most) : [];
  const ids = waiting.map(({ message_id }) => message_id);
  const [logged, known] = await Promise.all([
    deps.webhookMessages.pageMessages({ subscription_id, status, after: cursor, limit: most }),
    deps.webhookMessages.findMessages(subscription_id, ids),
  ]);
  // A list that is not complete says nothing about what comes after its last message.
  const ends = [logged, waiting].flatMap((list) => (list.length === most ? (list.at(-1) ?? []) : []));
  const end = ends.sort(newestFirst)[0];
  const messages = [...logged, ...waiting.filter(({ message_id }) => !known.has(message_id))]
    .sort(newestFirst)
    .filter((one) => end === undefined || newestFirst(one, end) <= 0);
  return { messages, end };
}

type Owned = Pick<WebhookMessage, 'account_id' | 'subscription_id'>;

async function waitingMessages(
  { outbox }: ReadDeps,
  owned: Owned,
  cursor: MessagePlace | undefined,
  limit: number,
): Promise<readonly WebhookMessage[]> {
  const before = cursor && { pushedAt: cursor.created_at, messageId: cursor.message_id };
  const { account_id, subscription_id } = owned;
  const entries = await outbox.listUnattempted(account_id, subscription_id, { before, limit });
  return entries.map((entry) => asMessage(owned, entry));
}

function asMessage(owned: Owned, entry: Entry): WebhookMessage {
  return {
    ...owned,
    message_id: entry.messageId,
    change_id: entry.changeId,
    kind: entry.kind,
    record_id: entry.recordId,
    ...{ status: 'pending', attempts: [], next_attempt_at: null, created_at: entry.pushedAt },
  };
}

function placeOf(message: WebhookMessage | undefined): MessagePlace | null {
  return message === undefined ? null : { created_at: message.created_at, message_id: message.message_id };
}

function newestFirst(a: MessagePlace, b: MessagePlace): number {
  return (
    b.created_at - a.created_at || (a.message_id > b.message_id ? -1 : a.message_id < b.message_id ? 1 : 0)
  );
}

/**
 * The earliest time at which a message that waits is attempted; null: not while its subscription is paused. The time may be past: then
 * the message is due, and waits for its turn or is attempted now. Pure.
 *
 * A message may be due long before its receiver is: one that fails gets one message at a time, and one that asked for a pause gets none.
 */
export function earliestAttempt(
  { next_attempt_at, created_at }: Pick<WebhookMessage, 'next_attempt_at' | 'created_at'>,
  { paused }: Pick<Subscription, 'paused'>,
  waits: Pick<WaitingStatus, 'nextDueAt' | 'state'> | undefined,
): number | null {
  if (paused !== undefined && paused.reason !== 'failing') return null;
  return Math.max(next_attempt_at ?? created_at, waits?.nextDueAt ?? 0, waits?.state.notBefore ?? 0);
}
