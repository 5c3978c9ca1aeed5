import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { changeId } from '@sluice/contract/message/outbound-ids';
import type { OutboundChange, OutboundChanges } from '@sluice/store/outbound/outbound-changes';
import type { PendingRecord } from '@sluice/store/pending/pending-record';
import type { AccountLog, LogBatch } from '../log/account-log.ts';
import {
  collect,
  type FannedOut,
  type FanOut,
  type FanOutDeps,
  MOST_ROUNDS,
  repliesWithoutUrl,
  YOUNG_LIST_MS,
} from './fan-out.ts';

export interface PublishToLogDeps extends Omit<FanOutDeps, 'directory' | 'mailboxes' | 'outboundChanges'> {
  readonly log: AccountLog;
  readonly outboundChanges: Pick<OutboundChanges, 'appendChanges' | 'moveChanges' | 'numbersOf'>;
}

const PUBLISHED: FannedOut = { status: 'fanned_out', published: [] };

/**
 * Appends the changes of one account's records to its log, from which its subscriptions read. Two things hold afterwards, however many processes
 * publish the same changes: no reader misses a change, and the numbers of the changes of a record grow with their sequence. Throws if a
 * store is unavailable. Idempotent.
 */
export function createPublishToLog(deps: PublishToLogDeps): FanOut {
  const { log, lists, onUnsendable } = deps;
  return async (accountId, records) => {
    const places = placesOf(records);
    let reported = onUnsendable;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const registered = await log.register(accountId, places.size);
      if (registered.status === 'fenced') return registered;
      if (registered.status === 'absent') {
        await deps.republish(accountId);
        continue;
      }
      const { batch, version } = registered;
      const list = await lists.of(accountId, version);
      let left = await deps.withoutErased(records);
      if (round > 0 || performance.now() - list.readAt < YOUNG_LIST_MS)
        left = await deps.withoutPublished(left);
      const collected = collect(list, left, reported);
      reported = () => {};
      const { first } = batch;
      const rows = collected.map(({ row }) => ({ ...row, number: first + (places.get(row.change_id) ?? 0) }));
      let appended: Appended | undefined;
      try {
        appended = await append(deps, { accountId, version, batch, rows });
      } finally {
        // An erasure that has ended before the insert may be why, and nobody publishes these changes again.
        if (appended !== 'confirmed') await deps.withoutErased(left);
      }
      if (appended === 'busy') return { status: 'fenced', waitMs: BUSY_MS };
      if (appended !== 'confirmed') continue;
      const failed = repliesWithoutUrl(list, records);
      if (failed.length > 0) await deps.failReplies(failed);
      return PUBLISHED;
    }
    throw new Error(`the subscriptions of ${accountId} kept changing during a fan-out`);
  };
}

type Appended = 'confirmed' | 'again' | 'busy';

type NumberedChange = OutboundChange & { readonly number: number };

interface Appending {
  readonly accountId: string;
  readonly version: string;
  readonly batch: LogBatch;
  readonly rows: readonly NumberedChange[];
}

/** How long another process may need for a batch. Milliseconds. */
const BUSY_MS = 20;
/** Moves of changes to other numbers. Each is an answer to what other processes did meanwhile. */
const MOST_MOVES = 20;

async function append(
  { log, outboundChanges }: Pick<PublishToLogDeps, 'log' | 'outboundChanges'>,
  { accountId, version, batch, rows }: Appending,
): Promise<Appended> {
  const numbers = new Map(rows.map(({ change_id, number }) => [change_id, number]));
  const note = (stored: ReadonlyMap<string, number>) => {
    for (const [id, number] of stored) numbers.set(id, number);
  };
  const numberOf = ({ change_id }: OutboundChange) => numbers.get(change_id) as number;
  const batches = [batch];
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
