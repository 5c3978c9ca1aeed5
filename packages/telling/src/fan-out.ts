import { messageId } from '@sluice/contract/outbound-ids';
import type { PushedChange } from '@sluice/mailboxes/push';
import type { OutboundChange, OutboundChanges } from '@sluice/store/outbound-changes';
import type { UntoldRecord } from '@sluice/store/untold-record';
import { outboundRow, type Unsendable } from './outbound-row.ts';
import type { DirectoryPort, MailboxPort, ToldChange } from './ports.ts';
import type { SubscriptionList, SubscriptionLists } from './subscription-lists.ts';

export interface FanOutDeps {
  readonly directory: Pick<DirectoryPort, 'version'>;
  /** Publishes the account's subscriptions, as MongoDB has them, in Redis. */
  readonly republish: (accountId: string) => Promise<void>;
  readonly mailboxes: Pick<MailboxPort, 'push'>;
  readonly lists: Pick<SubscriptionLists, 'of'>;
  readonly outboundChanges: Pick<OutboundChanges, 'insertChanges'>;
  /** Leaves out what was erased: its changes must not leave any more. */
  readonly withoutErased: (records: readonly UntoldRecord[]) => Promise<readonly UntoldRecord[]>;
  /**
   * Call it before the writes to an account's shard, and its result after them. It resolves once enough replicas of Redis
   * have the writes.
   */
  readonly replicaWait?: ((accountId: string) => () => Promise<void>) | undefined;
  /** Called for each change that can never be sent. It is cleared like a sent one. */
  readonly onUnsendable: (change: Unsendable) => void;
}

/** The result of the fan-out of one account's changes. */
export type FannedOut =
  /** All changes are in all mailboxes that collect them, so they can be cleared. */
  | { readonly status: 'fanned_out'; readonly told: readonly ToldChange[] }
  /** A subscription is being changed. Fan out again after this time. */
  | { readonly status: 'fenced'; readonly waitMs: number };

/** Puts the changes of one account's records into the mailboxes. Throws if a store is unavailable. Idempotent. */
export type FanOut = (accountId: string, records: readonly UntoldRecord[]) => Promise<FannedOut>;

/** A step of the fan-out: the entries of one script. */
const MOST_ENTRIES = 1000;
/** Texts of one step, in UTF-16 units. A script blocks Redis while it stores them. */
const MOST_TEXT = 1024 * 1024;
/** Each round is another change of the account's subscriptions. */
const MOST_ROUNDS = 20;

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
  records: readonly UntoldRecord[],
): Promise<FannedOut | { readonly status: 'stale' }> {
  const list = await deps.lists.of(accountId, version);
  let collected = collect(list, records, deps.onUnsendable);
  if (collected.length === 0) return { status: 'fanned_out', told: [] };
  const left = await deps.withoutErased(records);
  if (left !== records) collected = collect(list, left, () => {});
  await deps.outboundChanges.insertChanges(collected.map(({ row }) => row));
  const replicated = deps.replicaWait?.(accountId);
  for (const step of stepsOf(collected)) {
    const pushed = await deps.mailboxes.push(accountId, version, step);
    if (pushed.status !== 'pushed') return pushed;
  }
  await replicated?.();
  const told = collected.map(({ row, subscriptions }) => ({ changeId: row.change_id, to: subscriptions }));
  return { status: 'fanned_out', told };
}

/**
 * Each change once: a record that changed twice before it was told is there twice, the second time with both changes. A mailbox
 * does not look for repetitions within one push.
 */
function collect(
  list: SubscriptionList,
  records: readonly UntoldRecord[],
  onUnsendable: FanOutDeps['onUnsendable'],
): Collected[] {
  const seen = new Set<string>();
  return records.flatMap((record) =>
    record.changes.flatMap((change, index): Collected[] => {
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

/** The pushes of the changes, in their order. A change with many subscriptions takes several. */
function* stepsOf(collected: readonly Collected[]): Generator<readonly PushedChange[]> {
  let step: PushedChange[] = [];
  let entries = 0;
  let text = 0;
  for (const { row, subscriptions } of collected) {
    for (let from = 0; from < subscriptions.length; ) {
      if (entries === MOST_ENTRIES || (text > 0 && text + row.text.length > MOST_TEXT)) {
        yield step;
        [step, entries, text] = [[], 0, 0];
      }
      const some = subscriptions.slice(from, from + MOST_ENTRIES - entries);
      step.push(pushedChange(row, some));
      from += some.length;
      entries += some.length;
      text += row.text.length;
    }
  }
  if (step.length > 0) yield step;
}

function pushedChange(
  { change_id, text, kind, record_id, at }: OutboundChange,
  subscriptions: readonly string[],
): PushedChange {
  const to = subscriptions.map((subscriptionId) => ({
    subscriptionId,
    messageId: messageId(change_id, subscriptionId),
  }));
  return { changeId: change_id, text, kind, recordId: record_id, at, to };
}
