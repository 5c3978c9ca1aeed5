import { randomUUID } from 'node:crypto';
import type { Keyspace } from '@sluice/redis/keyspace';
import { withScripts } from '@sluice/redis/with-scripts';
import type { Redis } from 'ioredis';
import { BEFORE_PUTTING_BACK, FENCE, PUBLISH, PUT_BACK, READ } from './source-directory.lua.ts';
import type { SourceRecord } from './source-record.ts';

/** The state of a source in Redis. */
export type DirectoryEntry =
  | { readonly state: 'published'; readonly record: SourceRecord }
  /** An admin's change is running: no request of the source is admitted until it is published. */
  | { readonly state: 'changing'; readonly retryAfterMs: number }
  /** Never published, lost, published to another run of Redis, or left by an unfinished change. MongoDB has the truth. */
  | { readonly state: 'absent' };

/** A fence. Only the change that set it removes it. */
export interface Fence {
  readonly token: string;
  /** The run of Redis in which it was set. */
  readonly run: string;
}

/** The sources for the ingress. They are published in Redis, so that a request needs no MongoDB. */
export interface SourceDirectory {
  /** Stops the admission of a source's requests until the change is published, or until FENCE_MS have passed. */
  fence(sourceId: string): Promise<Fence>;
  /**
   * Publishes a change that was read from MongoDB after its fence was set. The record becomes current unless a newer one is.
   * Resolves to whether it is current. Its fence is removed, and fences of other changes stay.
   */
  publish(record: SourceRecord, fence: Fence): Promise<boolean>;
  /**
   * Publishes a source that Redis has lost or never had. `load` reads it from MongoDB. Resolves to the record if it is current.
   * Resolves to undefined without such a source, during a change, or if Redis has begun another run meanwhile.
   */
  republish(
    source: Pick<SourceRecord, 'source_id' | 'account_id'>,
    load: () => Promise<SourceRecord | undefined>,
  ): Promise<SourceRecord | undefined>;
  read(sourceId: string): Promise<DirectoryEntry>;
}

/**
 * How long a fence lasts if its change is never published. It is longer than a MongoDB write (its timeouts add up to 10 s),
 * so that a late write still finds the fence.
 */
export const FENCE_MS = 15_000;

type RecordFields = readonly [version: number, active: 0 | 1, record: string];

interface DirectoryCommands {
  sluiceFence(key: string, fenceMs: number, token: string): Promise<string>;
  sluicePublish(key: string, ...args: [...RecordFields, run: string, token: string]): Promise<0 | 1>;
  sluiceBeforePuttingBack(key: string): Promise<[run: string, fence: string] | null>;
  sluicePutBack(key: string, ...args: [...RecordFields, run: string, fence: string]): Promise<0 | 1>;
  sluiceRead(key: string): Promise<[string | null, number, number]>;
}

export function createSourceDirectory({
  redis,
  keyspace,
}: {
  redis: Redis;
  keyspace: Keyspace;
}): SourceDirectory {
  const commands = withScripts<DirectoryCommands>(redis, {
    sluiceFence: FENCE,
    sluicePublish: PUBLISH,
    sluiceBeforePuttingBack: BEFORE_PUTTING_BACK,
    sluicePutBack: PUT_BACK,
    sluiceRead: { lua: READ, readOnly: true },
  });
  return {
    async fence(sourceId) {
      const token = randomUUID();
      return { token, run: await commands.sluiceFence(keyspace.source(sourceId), FENCE_MS, token) };
    },
    async publish(record, { token, run }) {
      const key = keyspace.source(record.source_id);
      return (await commands.sluicePublish(key, ...fieldsOf(record), run, token)) === 1;
    },
    async republish({ source_id }, load) {
      const key = keyspace.source(source_id);
      const before = await commands.sluiceBeforePuttingBack(key);
      if (before === null) return undefined;
      const record = await load();
      if (record === undefined) return undefined;
      return (await commands.sluicePutBack(key, ...fieldsOf(record), ...before)) === 1 ? record : undefined;
    },
    async read(sourceId) {
      const [record, fencedForMs, nowMs] = await commands.sluiceRead(keyspace.source(sourceId));
      if (fencedForMs > 0) return { state: 'changing', retryAfterMs: fencedForMs };
      if (record === null || fencedForMs === 0) return { state: 'absent' };
      return { state: 'published', record: asOf(JSON.parse(record), nowMs) };
    },
  };
}

function fieldsOf(record: SourceRecord): RecordFields {
  return [record.version, record.active ? 1 : 0, JSON.stringify(record)];
}

/**
 * Removes an overlap that has ended. The admission returns requests that were verified with a record that still has it
 * (admit.lua.ts). It uses the same clock, so no replica accepts the old secret after the end.
 */
function asOf(record: SourceRecord, nowMs: number): SourceRecord {
  const { previous_secret: previous } = record;
  if (previous === undefined || previous.accepted_until === null || previous.accepted_until > nowMs)
    return record;
  return { ...record, previous_secret: { ...previous, accepted_until: null } };
}
