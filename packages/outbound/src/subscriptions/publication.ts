import type { OutboundChanges } from '@sluice/store/outbound/outbound-changes';
import type { Source } from '@sluice/store/sources/source';
import type { Sources } from '@sluice/store/sources/sources';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import type { Subscriptions } from '@sluice/store/subscriptions/subscriptions';
import type { WholePublication } from '../directory/subscription-directory.ts';
import { asksForEvents } from '../log/matches.ts';
import { askedUntil } from '../log/wants.ts';
import type { CollectingSubscription, PublishedSubscription } from '../queue/published-subscription.ts';
import { collects, deadSince } from './life.ts';
import { replyId } from './reply-id.ts';

export interface PublicationDeps {
  readonly subscriptions: Pick<Subscriptions, 'listSubscriptions'>;
  readonly sources: Pick<Sources, 'listSources'>;
  readonly now: () => number;
}

export interface WholePublicationDeps extends PublicationDeps {
  readonly outboundChanges: Pick<OutboundChanges, 'lastNumber'>;
}

/** A reply is useless once the visitor has left. Milliseconds. */
const REPLY_GIVE_UP_MS = 600_000;

/** A webhook subscription as dispatchers read it. */
export function published(subscription: Subscription): PublishedSubscription {
  const { subscription_id, account_id, version, target_url, ordered, fresh_from } = subscription;
  const { paused, deleted_at, expires_at, ephemeral, key_expires_at, secrets } = subscription;
  const dead = paused === undefined ? undefined : deadSince(subscription, paused.at);
  const { events, filter, earlier } =
    dead === undefined ? subscription : askedUntil(subscription, dead * 1000);
  return {
    ...{ subscription_id, account_id, version, kind: 'webhook', target_url, ordered },
    ...{ events, filter, earlier, fresh_from, created_at: subscription.created_at },
    secrets: secrets.map(({ sealed, expires_at: ends }) => ({ sealed, expires_at: ends ?? null })),
    paused: deleted_at === undefined ? (paused?.reason ?? null) : 'deleted',
    key_expires_at: key_expires_at ?? null,
    ephemeral_until: ephemeral ? (expires_at ?? null) : null,
    give_up_after_ms: null,
  };
}

/** The reply URL of a channel, which is published like a subscription. Undefined if it has none, or was deleted. */
export function publishedReply(source: Source): PublishedSubscription | undefined {
  if (source.kind !== 'channel' || source.deleted !== undefined) return undefined;
  const { source_id, account_id, version, reply_url, sealed_reply_secret: sealed } = source;
  const { previous_reply_secrets: previous = [] } = source;
  if (!reply_url || sealed === undefined) return undefined;
  return {
    ...{ subscription_id: replyId(source_id), account_id, version, kind: 'reply', target_url: reply_url },
    secrets: [
      { sealed, expires_at: null },
      ...previous.map(({ sealed_secret, expires_at }) => ({ sealed: sealed_secret, expires_at })),
    ],
    ordered: true,
    // Only people change channels, so each change is a new start.
    fresh_from: version,
    ...{ events: ['conversation.reply'], filter: { channel_id: source_id }, created_at: source.created_at },
    ...{ paused: null, key_expires_at: null, ephemeral_until: null },
    give_up_after_ms: REPLY_GIVE_UP_MS,
  };
}

/** Everything of an account that is published, as read now. */
export async function loadPublication(
  { subscriptions, sources, outboundChanges }: WholePublicationDeps,
  accountId: string,
): Promise<WholePublication> {
  const [own, channels, lastNumber] = await Promise.all([
    subscriptions.listSubscriptions(accountId),
    sources.listSources({ account_id: accountId, kind: 'channel' }),
    outboundChanges.lastNumber(accountId),
  ]);
  return {
    lastNumber,
    put: [...own.map(published), ...channels.flatMap((one) => publishedReply(one) ?? [])],
  };
}

/** Whether changes of events are kept for any of them. */
export function wantsEvents(own: readonly Subscription[], now: number): boolean {
  return own.some((one) => collects(one, now) && asksForEvents(one));
}

/** All of an account that collect: also paused ones and tombstones, but not those of a dead key. */
export async function readCollecting(
  { subscriptions, sources, now }: PublicationDeps,
  accountId: string,
): Promise<readonly CollectingSubscription[]> {
  const [own, channels] = await Promise.all([
    subscriptions.listSubscriptions(accountId),
    sources.listSources({ account_id: accountId, kind: 'channel' }),
  ]);
  const at = now();
  const collecting = own.filter((one) => collects(one, at)).map(published);
  const replies = channels.flatMap((one) => publishedReply(one) ?? []);
  // The rest is not kept in memory.
  return [...collecting, ...replies].map(({ kind, events, filter }) => ({ kind, events, filter }));
}
