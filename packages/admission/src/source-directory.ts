import type { Redis } from 'ioredis';
import type { Keyspace } from './keyspace.ts';
import type { SourceRecord } from './source-record.ts';

/** What Redis knows of a source right now. */
export type DirectoryEntry =
  | { readonly state: 'published'; readonly record: SourceRecord }
  /** An admin's change is under way: nothing of the source is admitted until it is published. */
  | { readonly state: 'changing'; readonly retryAfterMs: number }
  /** Never published, lost, or a change was begun and not finished: MongoDB knows. */
  | { readonly state: 'absent' };

/** The sources as the ingress sees them: published in Redis, so that MongoDB is not on the way of a request. */
export interface SourceDirectory {
  /** Stops the admission of a source's requests until it is published anew, or FENCE_MS have passed. */
  fence(sourceId: string): Promise<void>;
  /** Makes a record current, unless a newer one is. Resolves to whether it is now the current one. */
  publish(record: SourceRecord): Promise<boolean>;
  read(sourceId: string): Promise<DirectoryEntry>;
}

/**
 * How long a fence holds when whoever set it never publishes. Longer than a MongoDB write may take
 * (its time-outs add up to 10 s), so that a write which still comes through finds the fence up.
 */
export const FENCE_MS = 15_000;

// KEYS[1] source hash   ARGV[1] how long in ms
const FENCE = `
local time = redis.call('TIME')
redis.call('HSET', KEYS[1], 'fenced_until', time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1])
`;

// KEYS[1] source hash   ARGV[1] version  [2] active, 1 or 0  [3] record as JSON   returns 1 when it is current now
// While a fence is up, only the change itself may publish, which is known by its higher version: an ingress
// that has read the old record from MongoDB a moment ago must not lift the fence with it.
const PUBLISH = `
local current = redis.call('HMGET', KEYS[1], 'version', 'fenced_until')
local version, new = tonumber(current[1] or -1), tonumber(ARGV[1])
if new < version then return 0 end
if new == version and current[2] then
  local time = redis.call('TIME')
  if tonumber(current[2]) > time[1] * 1000 + math.floor(time[2] / 1000) then return 0 end
end
redis.call('HSET', KEYS[1], 'version', ARGV[1], 'active', ARGV[2], 'record', ARGV[3])
redis.call('HDEL', KEYS[1], 'fenced_until')
return 1
`;

// KEYS[1] source hash   returns {record or false, ms until the fence runs out (0: passed), or -1 without a fence}
const READ = `
local found = redis.call('HMGET', KEYS[1], 'record', 'fenced_until')
if not found[2] then return {found[1], -1} end
local time = redis.call('TIME')
return {found[1], math.max(0, found[2] - (time[1] * 1000 + math.floor(time[2] / 1000)))}
`;

interface DirectoryCommands {
  sluiceFence(key: string, fenceMs: number): Promise<null>;
  sluicePublish(key: string, version: number, active: 0 | 1, record: string): Promise<0 | 1>;
  sluiceRead(key: string): Promise<[string | null, number]>;
}

export function createSourceDirectory({
  redis,
  keyspace,
}: {
  redis: Redis;
  keyspace: Keyspace;
}): SourceDirectory {
  redis.defineCommand('sluiceFence', { numberOfKeys: 1, lua: FENCE });
  redis.defineCommand('sluicePublish', { numberOfKeys: 1, lua: PUBLISH });
  redis.defineCommand('sluiceRead', { numberOfKeys: 1, lua: READ, readOnly: true });
  const commands = redis as unknown as DirectoryCommands;
  return {
    async fence(sourceId) {
      await commands.sluiceFence(keyspace.source(sourceId), FENCE_MS);
    },
    async publish(record) {
      const key = keyspace.source(record.source_id);
      return (await commands.sluicePublish(key, record.version, record.active ? 1 : 0, JSON.stringify(record))) === 1;
    },
    async read(sourceId) {
      const [record, fencedForMs] = await commands.sluiceRead(keyspace.source(sourceId));
      if (fencedForMs > 0) return { state: 'changing', retryAfterMs: fencedForMs };
      if (record === null || fencedForMs === 0) return { state: 'absent' };
      return { state: 'published', record: JSON.parse(record) as SourceRecord };
    },
  };
}
