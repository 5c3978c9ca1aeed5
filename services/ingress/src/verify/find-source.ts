import { setTimeout as sleep } from 'node:timers/promises';
import type { ShardedDirectory } from '@sluice/admission/sharded-directory';
import type { SourceRecord } from '@sluice/admission/source-record';
import { SOURCE_ID_PATTERN } from '@sluice/contract/delivery/webhook-path';
import { within } from '@sluice/runtime/timing/within';
import { mapperOf } from '@sluice/signature/mapping/mapper';
import { compileVerifier } from '@sluice/signature/sender/compile-verifier';
import { type Profile, readProfile } from '@sluice/signature/sender/profile';
import { senderKey } from '@sluice/signature/sender/sender-key';
import { type VerifyingKey, verifyingKey } from '@sluice/signature/verify';
import { LRUCache } from 'lru-cache';
import type { KnownSource } from './known-source.ts';
import type { StoreLook } from './store-look.ts';

export type FoundSource =
  | { readonly outcome: 'found'; readonly source: KnownSource }
  | { readonly outcome: 'not_found' }
  /** The source is being changed, or neither Redis nor MongoDB responds. */
  | { readonly outcome: 'unavailable' };

/** The result of one lookup. `changing` is looked up again. */
type LookedUp = FoundSource | typeof CHANGING;
const CHANGING = { outcome: 'changing' } as const;
const unavailable = (): FoundSource => ({ outcome: 'unavailable' });

export interface SourceFinder {
  /** The cached source; undefined if it needs a lookup. */
  cached(sourceId: string): KnownSource | undefined;
  /** Looks the source up in Redis, then in MongoDB. It resolves by `deadlineMs` (of performance.now()). */
  find(sourceId: string, deadlineMs: number): Promise<FoundSource>;
  /** Drops a cached version that the admission found stale. */
  forget(source: KnownSource): void;
  /** Drops all sources after Redis was away: its data may now be older, and equal to what was cached then. */
  forgetAll(): void;
}

export interface SourceFinderDeps {
  readonly directory: Pick<ShardedDirectory, 'read' | 'republish'>;
  /** Returns whether MongoDB has a source that Redis does not have. */
  readonly isStored: StoreLook;
  /** Loads a source from MongoDB; undefined if there is no such source. */
  readonly loadFromStore: (sourceId: string) => Promise<SourceRecord | undefined>;
  /** Restores the other data of a source that Redis has lost. It may be slow. */
  readonly restore: (record: SourceRecord) => Promise<void>;
  /** Opens a sealed signing secret; undefined if this installation's keys do not open it. */
  readonly openSecret: (sealed: Pick<SourceRecord, 'source_id' | 'sealed_secret'>) => string | undefined;
  readonly onError: (error: unknown, sourceId: string) => void;
}

const MAX_CACHED = 100_000;

/** How long an unknown id is cached, to spare MongoDB. The id of a new source cannot be guessed before it exists. */
const UNKNOWN_FOR_MS = 5_000;
const MAX_UNKNOWN = 10_000;

/** A request that waits for a lookup gets a response within 1.2 s (webhook.ts). */
const LOOK_WITHIN_MS = 2_000;

/** The poll interval while a source is being changed. A change needs two round trips. */
const CHANGING_POLL_MS = 20;

const ID_FORM = new RegExp(`^${SOURCE_ID_PATTERN}$`);

/**
 * Caches sources without an expiry. The admission script compares versions, so a stale cached source admits nothing
 * (docs/guarantees.md, 4). It does the same for an overlap that has ended. Each source has one lookup at a time, however
 * many requests wait for it.
 */
export function createSourceFinder(deps: SourceFinderDeps): SourceFinder {
  const known = new LRUCache<string, KnownSource>({ max: MAX_CACHED });
  const unknown = new LRUCache<string, true>({ max: MAX_UNKNOWN, ttl: UNKNOWN_FOR_MS });
  const lookups = new Map<string, Promise<LookedUp>>();

  /** Counts forgetAll. */
  let era = 0;

  /** A lookup that began before forgetAll may have read older data. It is repeated. */
  const lookUpInOneEra = async (sourceId: string): Promise<LookedUp> => {
    const begun = era;
    const found = await lookUp(sourceId);
    if (begun !== era) return CHANGING;
    if (found.outcome === 'found') known.set(sourceId, found.source);
    return found;
  };

  const lookUp = async (sourceId: string): Promise<LookedUp> => {
    const entry = await deps.directory.read(sourceId);
    switch (entry.state) {
      case 'published':
        return opened(entry.record);
      case 'absent':
        return loadAndPublish(sourceId);
      case 'changing':
        await sleep(CHANGING_POLL_MS);
        return CHANGING;
    }
  };

  const loadAndPublish = async (sourceId: string): Promise<FoundSource> => {
    // This check runs first because it asks about many unknown ids in one query.
    const stored = await deps.isStored(sourceId, performance.now() + LOOK_WITHIN_MS);
    const record = stored ? await deps.loadFromStore(sourceId) : undefined;
    if (record === undefined) {
      unknown.set(sourceId, true);
      return { outcome: 'not_found' };
    }
    await deps.restore(record);
    const current = await deps.directory.republish(record, () => deps.loadFromStore(sourceId));
    return current === undefined ? { outcome: 'unavailable' } : opened(current);
  };

  const opened = (record: SourceRecord): FoundSource => {
    if (record.is_deleted) {
      unknown.set(record.source_id, true);
      return { outcome: 'not_found' };
    }
    const secret = deps.openSecret(record);
    if (secret === undefined) return { outcome: 'unavailable' };
    const bodyStorage = record.body_storage;
    const profile = record.sender && profileOf(record.sender.verify);
    const mapper = mapperOf(record.sender);
    const keyOf = (text: string) => (profile === undefined ? verifyingKey(text) : senderKey(profile, text));
    const known = { record, bodyStorage, key: keyOf(secret), previous: previousOf(record, keyOf) };
    const source =
      profile === undefined
        ? known
        : { ...known, sender: { profile, verify: compileVerifier(profile), mapper } };
    return { outcome: 'found', source };
  };

  const previousOf = (
    { source_id, previous_secret: previous }: SourceRecord,
    keyOf: (secret: string) => VerifyingKey,
  ): KnownSource['previous'] => {
    const secret = previous && deps.openSecret({ source_id, sealed_secret: previous.sealed_secret });
    return secret === undefined
      ? undefined
      : { key: keyOf(secret), accepted: previous?.accepted_until !== null };
  };

  const lookUpOnce = (sourceId: string): Promise<LookedUp> => {
    const running = lookups.get(sourceId);
    if (running !== undefined) return running;
    const lookup = lookUpInOneEra(sourceId)
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
      // Requests share a lookup, and each request has its own deadline.
      for (;;) {
        const found = await within(deadlineMs - performance.now(), lookUpOnce(sourceId), unavailable);
        if (found.outcome !== 'changing') return found;
      }
    },
    forget(source) {
      const { source_id } = source.record;
      if (known.get(source_id) === source) known.delete(source_id);
    },
    forgetAll() {
      era += 1;
      known.clear();
    },
  };
}

/** The published profile. Throws for one of a newer version: its requests get 503 until this process is replaced. */
function profileOf(published: unknown): Profile {
  const read = readProfile(published);
  if (read.outcome === 'valid') return read.profile;
  throw new Error(`unknown profile: ${JSON.stringify(read.errors)}`);
}
