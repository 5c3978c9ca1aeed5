import { type Repeated, repeat } from '@sluice/runtime/timing/repeat';
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
}

/** Both together are less than 10 s, within which every change is published. Milliseconds. */
const EVERY_MS = 3000;
/** Changes younger than this are left to the process that made them. */
const GRACE_MS = 3000;
const BATCH = 200;

/** Publishes the changes of processes that died before they published them. Several processes may sweep at once. */
export function createSweeper({ untold, publisher, onChange, now }: SweeperDeps): Pick<Repeated, 'stop'> {
  let failing = false;

  /** Goes on after a failure: changes that can't be published must not hide the others. */
  async function sweepCollection(
    collection: PublishedCollection,
    { before, isStopped }: { readonly before: number; readonly isStopped: () => boolean },
  ): Promise<void> {
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
    } while (after !== null && !isStopped());
    if (failure !== undefined) throw failure;
  }

  return repeat({
    async run(isStopped) {
      const before = now() - GRACE_MS;
      const sweeps = PUBLISHED_COLLECTIONS.map((name) => sweepCollection(name, { before, isStopped }));
      for (const one of await Promise.allSettled(sweeps)) if (one.status === 'rejected') throw one.reason;
      if (failing) onChange(null);
      failing = false;
    },
    everyMs: EVERY_MS,
    onError(error) {
      failing = true;
      onChange(error);
    },
  });
}
