import { setImmediate as nextTurn } from 'node:timers/promises';
import { valueKey } from '../order/value-key.ts';
import type { Catalog } from '../storage/catalog.ts';
import type { Collection } from '../storage/collection.ts';
import type { DocumentIndex } from '../storage/document-index.ts';
import type { StoredDocument } from '../storage/stored-document.ts';

export interface ExpiryDeps {
  readonly catalog: Catalog;
  readonly safe: (flushed: boolean) => Promise<void>;
  readonly now: () => number;
  readonly log: (message: string) => void;
  /** Milliseconds between sweeps. */
  readonly every: number;
}

/** Documents removed before other work runs. */
const AT_ONCE = 500;

/**
 * Removes documents that a TTL index expires (manual, "TTL Indexes"): their date is at least expireAfterSeconds ago. A
 * field that is not a date never expires. In an array of dates the earliest counts.
 */
export function startExpiry({ catalog, safe, now, log, every }: ExpiryDeps): { stop(): Promise<void> } {
  let stopped = false;
  let sweeping: Promise<void> = Promise.resolve();
  let idle = true;

  async function sweep(): Promise<void> {
    for (const collection of [...catalog.collections.values()]) {
      for (const name of [...collection.indexes.keys()]) await expire(collection, name);
    }
  }

  async function expire(collection: Collection, name: string): Promise<void> {
    while (!stopped && catalog.collection(collection.namespace) === collection) {
      const index = collection.indexes.get(name); // look it up again: it may have been dropped or redefined
      const expired = index ? expiredIn(index, now()) : [];
      if (expired.length === 0) return;
      for (const stored of expired) collection.remove(stored);
      await safe(false);
      await nextTurn();
    }
  }

  const timer = setInterval(() => {
    if (!idle) return;
    idle = false;
    sweeping = sweep()
      .catch((error: unknown) => log(`Removing expired documents failed: ${String(error)}`))
      .finally(() => {
        idle = true;
      });
  }, every);

  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await sweeping;
    },
  };
}

/** Some of the documents that have expired at the given time (milliseconds), each once. */
function expiredIn({ definition, entries }: DocumentIndex, now: number): StoredDocument[] {
  if (definition.expireAfterSeconds === null) return [];
  const earliest = valueKey(new Date(Number.NaN)); // sorts before every date
  const latest = valueKey(new Date(now - definition.expireAfterSeconds * 1000));
  const range = entries.range(earliest, `${latest}\xff`);
  const found = new Set<StoredDocument>();
  for (const [, stored] of range) {
    found.add(stored);
    if (found.size >= AT_ONCE) break;
  }
  return [...found];
}
