import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { changeId } from '@sluice/contract/message/outbound-ids';
import type { OutboundChange, OutboundChanges } from '@sluice/store/outbound/outbound-changes';
import type { PendingRecord } from '@sluice/store/pending/pending-record';
import type { AccountLog, LogBatch } from '../log/account-log.ts';
import { collect, repliesWithoutUrl, type Unsendable } from './collect.ts';
import type { SubscriptionList, SubscriptionLists } from './subscription-lists.ts';

export interface PublishToLogDeps {
  readonly log: AccountLog;
  /** Publishes the account's subscriptions, as MongoDB has them, in Redis. */
  readonly republish: (accountId: string) => Promise<unknown>;
  readonly lists: Pick<SubscriptionLists, 'of'>;
  readonly outboundChanges: Pick<OutboundChanges, 'appendChanges' | 'moveChanges' | 'numbersOf'>;
  /** Leaves out what another process has published and cleared since the records were read. */
  readonly withoutPublished: (records: readonly PendingRecord[]) => Promise<readonly PendingRecord[]>;
  /** Leaves out what was erased: its changes must not leave any more. */
  readonly withoutErased: (records: readonly PendingRecord[]) => Promise<readonly PendingRecord[]>;
  /** Ends replies whose channel has no reply URL. They are cleared like sent ones. Idempotent. */
  readonly failReplies: (messageIds: readonly string[]) => Promise<void>;
  /** Called for each change that can never be sent. It is cleared like a sent one. */
  readonly onUnsendable: (change: Unsendable) => void;
}

export type PublishedToLog =
  /** All changes that some subscription collects are in the log, so they can be cleared. */
  | { readonly status: 'published' }
  /** A subscription is being changed, or another process publishes the same. Try again soon: at the latest after this time, and mostly much earlier. */
  | { readonly status: 'fenced'; readonly waitMs: number };

export type PublishToLog = (accountId: string, records: readonly PendingRecord[]) => Promise<PublishedToLog>;

/**
 * A list that is younger may have a subscription that is younger than the changes. A process that was frozen with them would publish
 * what others have published and cleared before it existed, behind newer changes. Changes wait for half of this (publisher.ts). Milliseconds.
 */
const YOUNG_LIST_MS = 10_000;
/** Each round is another change of the account's subscriptions. */
const MOST_ROUNDS = 20;

/**
 * Appends the changes of one account's records to its log, from which its subscriptions read. Two things hold afterwards, however many processes
 * publish the same changes: no reader misses a change, and the numbers of the changes of a record grow with their sequence. Throws if a
 * store is unavailable. Idempotent.
 */
export function createPublishToLog(deps: PublishToLogDeps): PublishToLog {
  return async (accountId, records) => {
    let result: PublishedToLog | undefined;
    try {
      result = await publish(deps, accountId, records);
      return result;
    } finally {
      // An erasure that has ended before an insert may be why nothing was confirmed, and nobody publishes these changes again.
      if (result?.status !== 'published') await deps.withoutErased(records);
    }
  };
}

async function publish(
  deps: PublishToLogDeps,
  accountId: string,
  records: readonly PendingRecord[],
): Promise<PublishedToLog> {
  const { log, lists } = deps;
  const places = placesOf(records);
  let report = deps.onUnsendable;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const registered = await log.register(accountId, places.size);
    if (registered.status === 'fenced') return registered;
    if (registered.status === 'nobody') return endReplies(deps, NOBODY, records);
    if (registered.status === 'absent') {
      await deps.republish(accountId);
      continue;
    }
    const { batch, version } = registered;
    const batches = [batch];
    try {
      const list = await lists.of(accountId, version);
      let left = await deps.withoutErased(records);
      if (round > 0 || performance.now() - list.readAt < YOUNG_LIST_MS)
        left = await deps.withoutPublished(left);
      const changes = collect(list, left, report);
      report = () => {};
      const rows = changes.map((row) => ({ ...row, number: batch.first + (places.get(row.change_id) ?? 0) }));
      const appended = await append(deps, { accountId, version, batches, rows });
      if (appended === 'busy') return { status: 'fenced', waitMs: BUSY_MS };
      if (appended !== 'confirmed') continue;
      return await endReplies(deps, list, records);
    } catch (error) {
      // Readers would wait for these batches until they end.
      await log.giveUp(accountId, batches).catch(() => {});
      throw error;
    }
  }
  throw new Error(`the subscriptions of ${accountId} kept changing while it was published`);
}

const NOBODY: Pick<SubscriptionList, 'collects'> = { collects: () => false };

async function endReplies(
  { failReplies }: Pick<PublishToLogDeps, 'failReplies'>,
  list: Pick<SubscriptionList, 'collects'>,
  records: readonly PendingRecord[],
): Promise<PublishedToLog> {
  const failed = repliesWithoutUrl(list, records);
  if (failed.length > 0) await failReplies(failed);
  return { status: 'published' };
}

type NumberedChange = OutboundChange & { readonly number: number };

interface Appending {
  readonly accountId: string;
  readonly version: string;
  /** The first one. Those that it needs beside are added. */
  readonly batches: LogBatch[];
  readonly rows: readonly NumberedChange[];
}

/** How long another process may need for a batch. Milliseconds. */
const BUSY_MS = 20;
/** Moves of changes to other numbers. Each is an answer to what other processes did meanwhile. */
const MOST_MOVES = 20;

async function append(
  { log, outboundChanges }: Pick<PublishToLogDeps, 'log' | 'outboundChanges'>,
  { accountId, version, batches, rows }: Appending,
): Promise<'confirmed' | 'again' | 'busy'> {
  const [batch] = batches as [LogBatch];
  const numbers = new Map(rows.map(({ change_id, number }) => [change_id, number]));
  const note = (stored: ReadonlyMap<string, number>) => {
    for (const [id, number] of stored) numbers.set(id, number);
  };
  const numberOf = ({ change_id }: OutboundChange) => numbers.get(change_id) as number;
  const isOwn = (row: OutboundChange) =>
    batches.some(({ first, count }) => numberOf(row) >= first && numberOf(row) < first + count);
  /** Another process may move them at the same time. Then its move counts. */
  const move = async (some: readonly NumberedChange[]) => {
    const to = batches.at(-1) as LogBatch;
    const moves = some.map((row) => ({
      ...{ change_id: row.change_id, from: numberOf(row), number: to.first + (row.number - batch.first) },
      // Others may have confirmed what they had inserted, so that readers have seen it.
      again: !isOwn(row),
    }));
    note(await outboundChanges.moveChanges(moves));
  };

  note(await outboundChanges.appendChanges(rows));
  for (let moves = 0; moves < MOST_MOVES; moves++) {
    const unordered = outOfOrder(rows, numbers);
    if (unordered.length > 0) {
      // No reader has seen what this process has inserted, because its batches stay open.
      const registered = await log.register(accountId, batch.count);
      if (registered.status !== 'open') break;
      batches.push(registered.batch);
      await move(unordered);
      continue;
    }
    const others = rows.filter((row) => !isOwn(row));
    const confirmed = await log.confirm(accountId, version, batches, others.map(numberOf));
    switch (confirmed.status) {
      case 'confirmed':
        return 'confirmed';
      case 'stale':
      case 'late':
        return 'again';
      case 'older':
        return 'busy';
      case 'younger':
        await sleep(BUSY_MS);
        note(await outboundChanges.numbersOf(others.map(({ change_id }) => change_id)));
        break;
      case 'unsafe': {
        const unsafe = new Set(confirmed.numbers);
        await move(others.filter((row) => unsafe.has(numberOf(row))));
        break;
      }
      default:
        confirmed satisfies never;
    }
  }
  await log.giveUp(accountId, batches);
  return 'again';
}

/** Changes whose number is not above that of an earlier change of their record: another process has given that one a higher number. */
function outOfOrder(
  rows: readonly NumberedChange[],
  numbers: ReadonlyMap<string, number>,
): readonly NumberedChange[] {
  const highest = new Map<string, number>();
  const bySequence = [...rows].sort((a, b) => a.sequence - b.sequence);
  return bySequence.filter(({ record_id, change_id }) => {
    const before = highest.get(record_id) ?? 0;
    const number = numbers.get(change_id) as number;
    highest.set(record_id, Math.max(before, number));
    return number <= before;
  });
}

/** The place of each change in a batch: the same in each round, whoever collects it by then. */
function placesOf(records: readonly PendingRecord[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const changes = records.flatMap(({ id, changes: own }) => own.map((change) => ({ id, change })));
  changes.sort((a, b) => a.change.sequence - b.change.sequence);
  for (const { id, change } of changes) {
    const key = changeId(id, change.sequence, change.kind);
    if (!places.has(key)) places.set(key, places.size);
  }
  return places;
}
