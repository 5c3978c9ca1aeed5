import type { ShardedDirectory } from '@sluice/admission/sharded-directory';
import type { SourceRecord } from '@sluice/admission/source-record';
import { within } from '@sluice/runtime/process/within';
import { verifyingKey } from '@sluice/signature/verify';
import { LRUCache } from 'lru-cache';
import type { KnownSource } from './known-source.ts';
import type { StoreLook } from './store-look.ts';

export type FoundSource =
  | { readonly outcome: 'found'; readonly source: KnownSource }
  | { readonly outcome: 'not_found' }
  /** Being changed, or neither Redis nor MongoDB can say just now. */
  | { readonly outcome: 'unavailable' };

/** What one look says; a change that is under way is looked at again. */
type LookedUp = FoundSource | typeof CHANGING;
const CHANGING = { outcome: 'changing' } as const;
const unavailable = (): FoundSource => ({ outcome: 'unavailable' });

export interface SourceFinder {
  /** The source as cached; undefined where it has to be looked up. */
  cached(sourceId: string): KnownSource | undefined;
  /** The source as Redis (and failing that MongoDB) has it. Waits until `deadlineMs` (performance.now()'s) at most. */
  find(sourceId: string, deadlineMs: number): Promise<FoundSource>;
  /** The admission found the cached version to be out of date. */
  forget(source: KnownSource): void;
  /** Redis was away: what it holds now may be of an earlier time, and compares equal to what was cached then. */
  forgetAll(): void;
}

export interface SourceFinderDeps {
  readonly directory: Pick<ShardedDirectory, 'read' | 'republish'>;
  /** Whether MongoDB has a source that Redis does not know. */
  readonly isStored: StoreLook;
  /** The truth, for what Redis has lost. undefined: there is no such source. */
  readonly loadFromStore: (sourceId: string) => Promise<SourceRecord | undefined>;
  /** Puts back what else of a source Redis has lost; it may take long. */
  readonly restore: (record: SourceRecord) => Promise<void>;
  /** Opens a sealed signing secret; undefined where this installation's keys do not fit. */
  readonly openSecret: (sealed: Pick<SourceRecord, 'source_id' | 'sealed_secret'>) => string | undefined;
  readonly onError: (error: unknown, sourceId: string) => void;
}

const MAX_CACHED = 100_000;

/** Ids that nobody has: so long is MongoDB not asked about them again. A new source's id cannot be guessed beforehand. */
const UNKNOWN_FOR_MS = 5_000;
const MAX_UNKNOWN = 10_000;

/** A request that waits for a look is answered within 1.2 s (webhook.ts). */
const LOOK_WITHIN_MS = 2_000;

/** How often a source that is being changed is looked at again. A change takes two round trips. */
const CHANGING_POLL_MS = 20;

const ID_FORM = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Caches sources without an expiry: the admission script compares versions, so a cached source that has changed
 * is never acted on (design: guarantee 4); the same for an overlap that has ended. One look at a time for each source,
 * however many requests wait.
 */
export function createSourceFinder(deps: SourceFinderDeps): SourceFinder {
  const known = new LRUCache<string, KnownSource>({ max: MAX_CACHED });
  const unknown = new LRUCache<string, true>({ max: MAX_UNKNOWN, ttl: UNKNOWN_FOR_MS });
  const lookups = new Map<string, Promise<LookedUp>>();

  const lookUp = async (sourceId: string): Promise<LookedUp> => {
    const entry = await deps.directory.read(sourceId);
    switch (entry.state) {
      case 'published':
        return remember(entry.record);
      case 'absent':
        return loadAndPublish(sourceId);
      case 'changing':
        await new Promise((resolve) => setTimeout(resolve, CHANGING_POLL_MS));
        return CHANGING;
    }
  };

  const loadAndPublish = async (sourceId: string): Promise<FoundSource> => {
    // Before the source is loaded: ids that nobody has are asked about many together.
    const stored = await deps.isStored(sourceId, performance.now() + LOOK_WITHIN_MS);
    const record = stored ? await deps.loadFromStore(sourceId) : undefined;
    if (record === undefined) {
      unknown.set(sourceId, true);
      return { outcome: 'not_found' };
    }
    await deps.restore(record);
    const current = await deps.directory.republish(record, () => deps.loadFromStore(sourceId));
    return current === undefined ? { outcome: 'unavailable' } : remember(current);
  };

  const remember = (record: SourceRecord): FoundSource => {
    const secret = deps.openSecret(record);
    if (secret === undefined) return { outcome: 'unavailable' };
    const source = { record, key: verifyingKey(secret), previous: previousOf(record) };
    known.set(record.source_id, source);
    return { outcome: 'found', source };
  };

  const previousOf = ({ source_id, previous_secret: previous }: SourceRecord): KnownSource['previous'] => {
    const secret = previous && deps.openSecret({ source_id, sealed_secret: previous.sealed_secret });
    return secret === undefined
      ? undefined
      : { key: verifyingKey(secret), accepted: previous?.accepted_until !== null };
  };

  const lookUpOnce = (sourceId: string): Promise<LookedUp> => {
    const running = lookups.get(sourceId);
    if (running !== undefined) return running;
    const lookup = lookUp(sourceId)
      .catch((error: unknown): LookedUp => {
        deps.onError(error, sourceId);
        return { outcome: 'unavailable' };
      })
      .finally(() => lookups.delete(sourceId));
    lookups.set(sourceId, lookup);
    return lookup;
  };

  return {
    cached: (sourceId) => known.get(sourceId),
    async find(sourceId, deadlineMs) {
      if (!ID_FORM.test(sourceId) || unknown.has(sourceId)) return { outcome: 'not_found' };
      // Whoever joins a lookup joins one look, not the patience of the request that began it: each has its own deadline.
      for (;;) {
        const found = await within(deadlineMs - performance.now(), lookUpOnce(sourceId), unavailable);
        if (found.outcome !== 'changing') return found;
      }
    },
    forget(source) {
      const { source_id } = source.record;
      if (known.get(source_id) === source) known.delete(source_id);
    },
    forgetAll: () => known.clear(),
  };
}
