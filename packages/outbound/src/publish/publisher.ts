import { setTimeout as sleep } from 'node:timers/promises';
import type { PendingRecord } from '@sluice/store/pending/pending-record';
import { createPublishRecords, type PublishRecordsDeps } from './publish-records.ts';
import type { PublishedToLog } from './publish-to-log.ts';

export interface PublisherDeps extends PublishRecordsDeps {
  /** Called when changes could not be published. They stay in their records, so the sweeper publishes them. */
  readonly onError: (error: unknown) => void;
  /** Milliseconds of a clock that is never set. */
  readonly now?: () => number;
}

/** The one place that receives changes. */
export interface Publisher {
  /** Publishes a record's changes soon, together with others. Returns at once and never throws. */
  publishSoon(record: PendingRecord): void;
  /**
   * Publishes changes and waits for it. Throws if a store is unavailable. Idempotent. Leaves the changes of an account whose
   * subscriptions are being changed.
   */
  publishNow(records: readonly PendingRecord[]): Promise<void>;
  /** Resolves once everything given so far is published or has failed. Changes that wait for a fence are left to the sweeper. */
  settled(): Promise<void>;
}

/** Records of an account that are published together. */
const BATCH = 500;
/** More waiting records or more text than this is left to the sweeper, so that a slow store costs no memory. */
const MOST_WAITING = 20_000;
const MOST_SIZE = 32 * 1024 * 1024;
/**
 * Changes that wait longer are left to the sweeper, which reads them once more. Another process may have published them. Milliseconds.
 */
const LONGEST_WAIT_MS = 5000;
/** Accounts that are published at once. */
const MOST_LANES = 64;
/**
 * A fence says when it ends at the latest, which is seconds later. Its change is mostly published within milliseconds. So the first
 * look comes soon, and each further one after twice the time. Milliseconds.
 */
const FIRST_LOOK_MS = 20;
const LONGEST_LOOK_MS = 500;

interface Waiting {
  readonly record: PendingRecord;
  /** In memory, about (sizeOf). */
  readonly size: number;
  readonly since: number;
}

/**
 * Each account has a lane, so that a slow or fenced account delays no other. Batches form while the previous one is under way,
 * so a busy process needs few round trips for many changes.
 */
export function createPublisher(deps: PublisherDeps): Publisher {
  const { onError, now = () => performance.now() } = deps;
  const publishRecords = createPublishRecords(deps);
  const lanes = new Map<string, Waiting[]>();
  const running = new Map<string, Promise<void>>();
  /** Batches that are published or cleared now. */
  const clearing = new Set<Promise<void>>();
  let waiting = 0;
  let size = 0;
  /** Aborted when the process stops waiting for fences. */
  let draining = new AbortController();

  const done = (some: readonly Waiting[]): void => {
    waiting -= some.length;
    for (const one of some) size -= one.size;
  };
  const isYoung = ({ since }: Waiting): boolean => now() - since < LONGEST_WAIT_MS;

  /** Waits for a fence, after this number of looks at it. False: the process does not wait. */
  async function mayBeOver(waitMs: number, looks: number): Promise<boolean> {
    const { signal } = draining;
    const lookMs = Math.min(LONGEST_LOOK_MS, FIRST_LOOK_MS * 2 ** looks);
    return sleep(Math.min(lookMs, waitMs), true, { ref: false, signal }).catch(() => false);
  }

  /** Resolves once the changes are pushed: they are cleared while the lane tells the next ones. */
  async function publishBatch(
    accountId: string,
    batch: readonly Waiting[],
  ): Promise<PublishedToLog | undefined> {
    const young = batch.filter(isYoung).map(({ record }) => record);
    if (young.length === 0) {
      done(batch);
      return undefined;
    }
    let result: PublishedToLog | undefined;
    await new Promise<void>((resolve) => {
      const publishing: Promise<void> = publishRecords(accountId, young, resolve)
        .then((published) => {
          result = published;
        }, onError)
        .finally(() => {
          if (result?.status !== 'fenced') done(batch);
          clearing.delete(publishing);
          resolve();
        });
      clearing.add(publishing);
    });
    return result;
  }

  async function runLane(accountId: string, lane: Waiting[]): Promise<void> {
    // After the current task, so that its changes form one batch.
    await undefined;
    let looks = 0;
    while (lane.length > 0) {
      const batch = lane.splice(0, BATCH);
      const result = await publishBatch(accountId, batch);
      if (result?.status !== 'fenced') looks = 0;
      else if (await mayBeOver(result.waitMs, looks++)) lane.unshift(...batch);
      else done(batch);
    }
    lanes.delete(accountId);
    running.delete(accountId);
    startLanes();
  }

  function startLanes(): void {
    for (const [accountId, lane] of lanes) {
      if (running.size >= MOST_LANES) return;
      if (!running.has(accountId)) running.set(accountId, runLane(accountId, lane));
    }
  }

  return {
    publishSoon(record) {
      const added = { record, size: sizeOf(record), since: now() };
      if (waiting >= MOST_WAITING || size + added.size > MOST_SIZE) return;
      waiting += 1;
      size += added.size;
      const lane = lanes.get(record.account_id);
      if (lane !== undefined) lane.push(added);
      else {
        lanes.set(record.account_id, [added]);
        startLanes();
      }
    },
    async publishNow(records) {
      const byAccount = new Map<string, PendingRecord[]>();
      for (const record of records) {
        const some = byAccount.get(record.account_id);
        if (some === undefined) byAccount.set(record.account_id, [record]);
        else some.push(record);
      }
      const results = await Promise.allSettled(
        Array.from(byAccount, ([accountId, some]) => publishRecords(accountId, some)),
      );
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    },
    async settled() {
      while (running.size + clearing.size > 0) {
        draining.abort();
        await Promise.all([...running.values(), ...clearing]);
      }
      draining = new AbortController();
    },
  };
}

/** Memory of a change without its texts, about. */
const FIXED = 1024;

/** A rough size of a record's changes in memory, in UTF-16 units. Never throws. */
function sizeOf({ changes, texts }: PendingRecord): number {
  let size = 0;
  for (const { data, previous } of changes) size += FIXED + textIn(data) + textIn(previous);
  for (const text of texts ?? []) size += text.length;
  return size;
}

/** Texts are the only large parts. A conversation is one level further down. */
function textIn(value: unknown, depth = 2): number {
  if (typeof value === 'string') return value.length;
  if (depth === 0 || typeof value !== 'object' || value === null) return 0;
  let size = 0;
  for (const part of Object.values(value)) size += textIn(part, depth - 1);
  return size;
}
