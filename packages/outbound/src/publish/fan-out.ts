import { hasMessages, type PendingChange } from '@sluice/contract/message/change';
import { messageId } from '@sluice/contract/message/outbound-ids';
import type { OutboundChange, OutboundChanges } from '@sluice/store/outbound/outbound-changes';
import type { PendingRecord } from '@sluice/store/pending/pending-record';
import type { PushedChange } from '../queue/push.ts';
import { filteredBy, outboundRow, type Unsendable } from './outbound-row.ts';
import type { DirectoryPort, MailboxPort, PublishedChange } from './ports.ts';
import type { SubscriptionList, SubscriptionLists } from './subscription-lists.ts';

export interface FanOutDeps {
  readonly directory: Pick<DirectoryPort, 'version'>;
  /** Publishes the account's subscriptions, as MongoDB has them, in Redis. */
  readonly republish: (accountId: string) => Promise<unknown>;
  readonly mailboxes: Pick<MailboxPort, 'push'>;
  readonly lists: Pick<SubscriptionLists, 'of'>;
  readonly outboundChanges: Pick<OutboundChanges, 'insertChanges'>;
  /** Leaves out what another process has published and cleared since the records were read. */
  readonly withoutPublished: (records: readonly PendingRecord[]) => Promise<readonly PendingRecord[]>;
  /** Leaves out what was erased: its changes must not leave any more. */
  readonly withoutErased: (records: readonly PendingRecord[]) => Promise<readonly PendingRecord[]>;
  /**
   * Call it before the writes to an account's shard, and its result after them. It resolves once enough replicas of Redis
   * have the writes.
   */
  readonly replicaWait?: ((accountId: string) => () => Promise<void>) | undefined;
  /** Ends replies whose channel has no reply URL. They are cleared like sent ones. Idempotent. */
  readonly failReplies: (messageIds: readonly string[]) => Promise<void>;
  /** Called for each change that can never be sent. It is cleared like a sent one. */
  readonly onUnsendable: (change: Unsendable) => void;
}

/** The result of the fan-out of one account's changes. */
export type FannedOut =
  /** All changes are in all mailboxes that collect them, so they can be cleared. */
  | { readonly status: 'fanned_out'; readonly published: readonly PublishedChange[] }
  /** A subscription is being changed. Fan out again soon: its fence ends within this time, and mostly much earlier. */
  | { readonly status: 'fenced'; readonly waitMs: number };

/** Puts the changes of one account's records into the mailboxes. Throws if a store is unavailable. Idempotent. */
export type FanOut = (accountId: string, records: readonly PendingRecord[]) => Promise<FannedOut>;

/**
 * A list that is younger may have a subscription that is younger than the changes. A process that was frozen with them would tell it
 * what others have published and cleared before it existed, behind newer changes. Changes wait for half of this (publisher.ts). Milliseconds.
 */
export const YOUNG_LIST_MS = 10_000;
/** Each round is another change of the account's subscriptions. */
export const MOST_ROUNDS = 20;

export function createFanOut(deps: FanOutDeps): FanOut {
  return async (accountId, records) => {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      // First the version, then everything that decides who gets what: an older decision is stale.
      const found = await deps.directory.version(accountId);
      if (found.status === 'fenced') return found;
      if (found.status === 'absent') {
        await deps.republish(accountId);
        continue;
      }
      const result = await atVersion(deps, accountId, found.version, records);
      if (result.status !== 'stale') return result;
    }
    throw new Error(`the subscriptions of ${accountId} kept changing during a fan-out`);
  };
}

/** A change, and the subscriptions that collect it. */
interface Collected {
  readonly row: OutboundChange;
  readonly subscriptions: readonly string[];
}

async function atVersion(
  deps: FanOutDeps,
  accountId: string,
  version: string,
  records: readonly PendingRecord[],
): Promise<FannedOut | { readonly status: 'stale' }> {
  const list = await deps.lists.of(accountId, version);
  let collected = collect(list, records, deps.onUnsendable);
  const failed = repliesWithoutUrl(list, records);
  if (collected.length === 0) {
    if (failed.length > 0) await deps.failReplies(failed);
    return { status: 'fanned_out', published: [] };
  }
  let left = await deps.withoutErased(records);
  if (performance.now() - list.readAt < YOUNG_LIST_MS) left = await deps.withoutPublished(left);
  if (left !== records) collected = collect(list, left, () => {});
  let isPushed = false;
  try {
    await deps.outboundChanges.insertChanges(collected.map(({ row }) => row));
    const replicated = deps.replicaWait?.(accountId);
    const pushed = await deps.mailboxes.push(accountId, version, pushedChanges(collected));
    if (pushed.status !== 'pushed') return pushed;
    isPushed = true;
    await replicated?.();
  } finally {
    // An erasure that has ended before the insert may be why, and nobody publishes these changes again.
    if (!isPushed) await deps.withoutErased(left);
  }
  if (failed.length > 0) await deps.failReplies(failed);
  const published = collected.map(({ row, subscriptions }) => ({
    changeId: row.change_id,
    recordId: row.record_id,
    to: subscriptions,
  }));
  return { status: 'fanned_out', published };
}

/**
 * Each change once: a record that changed twice before it was published is there twice, the second time with both changes. A mailbox
 * does not look for repetitions within one push.
 */
export function collect(
  list: SubscriptionList,
  records: readonly PendingRecord[],
  onUnsendable: FanOutDeps['onUnsendable'],
): Collected[] {
  const seen = new Set<string>();
  return records.flatMap((record) =>
    record.changes.flatMap((change, index): Collected[] => {
      if (!hasMessages(change)) return [];
      const read = outboundRow(record, change, index, (of) => list.collecting(change.kind, of).length > 0);
      if (read.status === 'row') {
        if (seen.has(read.row.change_id)) return [];
        seen.add(read.row.change_id);
        return [{ row: read.row, subscriptions: list.collecting(change.kind, read.row) }];
      }
      if (read.status === 'unsendable') onUnsendable(read.change);
      return [];
    }),
  );
}

/** The ids of the messages. */
export function repliesWithoutUrl(
  list: SubscriptionList,
  records: readonly PendingRecord[],
): readonly string[] {
  const replies = records.flatMap(({ changes }) => changes.filter(isReply));
  return replies
    .filter((reply) => list.collecting('conversation.reply', filteredBy(reply)).length === 0)
    .map(({ data }) => String(data.id));
}

function isReply({ kind }: PendingChange): boolean {
  return kind === 'conversation.reply';
}

/** One after the other: the ids of five million messages need too much memory. */
function* pushedChanges(collected: readonly Collected[]): Generator<PushedChange> {
  for (const one of collected) yield pushedChange(one);
}

function pushedChange({ row, subscriptions }: Collected): PushedChange {
  const { change_id, text, kind, record_id, at } = row;
  const to = subscriptions.map((subscriptionId) => ({
    subscriptionId,
    messageId: messageId(change_id, subscriptionId),
  }));
  return { changeId: change_id, text, kind, recordId: record_id, at, to };
}
