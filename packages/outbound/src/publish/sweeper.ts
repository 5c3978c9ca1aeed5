import type { Pending, PendingPage, PendingPlace } from '@sluice/store/pending/pending';
import { PUBLISHED_COLLECTIONS, type PublishedCollection } from '@sluice/store/pending/pending-record';
import type { Publisher } from './publisher.ts';

export interface SweeperDeps {
  readonly untold: Pick<Pending, 'pagePending'>;
  readonly publisher: Pick<Publisher, 'publishNow'>;
  /** Called with each error, and with null when the next look succeeds. */
  readonly onChange: (error: unknown) => void;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** How often to look. Milliseconds. */
  readonly everyMs?: number;
  /** Changes younger than this are left to the process that made them. Milliseconds. */
  readonly graceMs?: number;
}

export interface Sweeper {
  /** Looks once. Throws if the store is unavailable, after it has published what it can. */
  sweep(): Promise<void>;
  /** Resolves once the look under way has ended. */
  stop(): Promise<void>;
}

/** Both together are less than 10 s, within which every change is published. */
const EVERY_MS = 3000;
const GRACE_MS = 3000;
const BATCH = 200;

/** Publishes the changes of processes that died before they published them. Several processes may sweep at once. */
export function createSweeper({
  untold,
  publisher,
  onChange,
  now,
  everyMs = EVERY_MS,
  graceMs = GRACE_MS,
}: SweeperDeps): Sweeper {
  let stopped = false;
  let failing = false;
  let running: Promise<void> = Promise.resolve();

  /** Goes on after a failure: changes that can't be published must not hide the others. */
  async function sweepCollection(collection: PublishedCollection, before: number): Promise<unknown> {
    let failure: unknown;
    let after: PendingPlace | null = null;
    do {
      const page: PendingPage = await untold.pagePending({
        collection,
        before,
        after: after ?? undefined,
        limit: BATCH,
      });
      if (page.unreadable.length > 0)
        failure = new Error(`unreadable changes in ${collection}: ${page.unreadable.join(', ')}`);
      if (page.records.length > 0)
        await publisher.publishNow(page.records).catch((error) => {
          failure = error;
        });
      after = page.next;
    } while (after !== null && !stopped);
    return failure;
  }

  async function sweep(): Promise<void> {
    const before = now() - graceMs;
    const failures = await Promise.all(PUBLISHED_COLLECTIONS.map((name) => sweepCollection(name, before)));
    for (const failure of failures) if (failure !== undefined) throw failure;
  }

  async function look(): Promise<void> {
    try {
      await sweep();
      if (failing) onChange(null);
      failing = false;
    } catch (error) {
      failing = true;
      onChange(error);
    }
    if (!stopped) timer = later();
  }

  const later = () =>
    setTimeout(() => {
      running = look();
    }, everyMs).unref();
  let timer = later();

  return {
    sweep,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
