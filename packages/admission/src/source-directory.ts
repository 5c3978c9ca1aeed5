import type { Redis } from 'ioredis';
import type { Keyspace } from './keyspace.ts';
import type { SourceRecord } from './source-record.ts';

/** What Redis knows of a source right now. */
export type DirectoryEntry =
  | { readonly state: 'published'; readonly record: SourceRecord }
  /** An admin's change is under way: nothing of the source is admitted until it is published. */
  | { readonly state: 'changing'; readonly retryAfterMs: number }
  /** Never published, lost, published to another run of Redis, or a change was begun and not finished: MongoDB knows. */
  | { readonly state: 'absent' };

/** The sources as the ingress sees them: published in Redis, so that MongoDB is not on the way of a request. */
export interface SourceDirectory {
  /** Stops the admission of a source's requests until the change is published, or FENCE_MS have passed. */
  fence(sourceId: string): Promise<void>;
  /**
   * Publishes a change, or a new source: makes the record current unless a newer one is (resolves to whether it is),
   * and takes away the fence that was put up for it. Fences of other changes stay.
   */
  publish(record: SourceRecord): Promise<boolean>;
  /**
   * Puts back what Redis has lost, as `load` then reads it from MongoDB. Resolves to it where it is current; to undefined
   * where there is no such source, a change is under way, or Redis has begun another run meanwhile.
   */
  republish(load: () => Promise<SourceRecord | undefined>): Promise<SourceRecord | undefined>;
  read(sourceId: string): Promise<DirectoryEntry>;
}

/**
 * How long a fence holds when whoever set it never publishes. Longer than a MongoDB write may take
 * (its time-outs add up to 10 s), so that a write which still comes through finds the fence up.
 */
export const FENCE_MS = 15_000;

const NOW_MS = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * A Redis that was started again may have been given a backup, and a replica that took over may have missed the last
 * change: either would hold a secret that was rotated since. So each record says to which run of Redis it was
 * published, and counts only in that one; in any other MongoDB is asked. Where Redis does not name its run, every
 * record counts.
 */
const RUN = `
local info = redis.pcall('INFO', 'server')
local run = type(info) == 'string' and string.match(info, 'run_id:(%x+)') or ''
`;

// KEYS[1] source hash   ARGV[1] how long in ms
// Changes may overlap: the fence is up until as many have been published as have put it up, or the last ran out.
const FENCE = `${NOW_MS}
if tonumber(redis.call('HGET', KEYS[1], 'fenced_until') or 0) <= now then redis.call('HDEL', KEYS[1], 'fences') end
redis.call('HINCRBY', KEYS[1], 'fences', 1)
redis.call('HSET', KEYS[1], 'fenced_until', now + ARGV[1])
`;

// KEYS[1] a key on the server that is asked
const RUN_NOW = `${RUN}
return run
`;

// KEYS[1] source hash   ARGV[1] version  [2] active, 1 or 0  [3] record as JSON
//         [4] only where something is put back, which is no change: the run in which MongoDB was asked for it
// Returns 1 when the record is current now. What is put back was read from MongoDB a moment ago: it may be from before
// a change that is under way, so it must neither stand beside a fence nor lift one; or from before one that was published
// to the run before, whose version no longer stops it.
// What an earlier run left is no newer than anything, whatever its version says: MongoDB may come from a backup too.
const PUBLISH = `${NOW_MS}${RUN}
local current = redis.call('HMGET', KEYS[1], 'version', 'fenced_until', 'fences', 'run')
local fenced = tonumber(current[2] or 0) > now
if ARGV[4] and (fenced or ARGV[4] ~= run) then return 0 end
local newest = tonumber(ARGV[1]) >= tonumber(current[1] or 0) or current[4] ~= run
if newest then
  redis.call('HSET', KEYS[1], 'version', ARGV[1], 'active', ARGV[2], 'record', ARGV[3], 'run', run)
end
if fenced and tonumber(current[3]) > 1 then redis.call('HINCRBY', KEYS[1], 'fences', -1)
else redis.call('HDEL', KEYS[1], 'fenced_until', 'fences') end
return newest and 1 or 0
`;

// KEYS[1] source hash   returns {record or false, ms until the fence runs out (0: passed) or -1 without a fence, now}
const READ = `${NOW_MS}${RUN}
local found = redis.call('HMGET', KEYS[1], 'record', 'fenced_until', 'run')
return {found[3] == run and found[1], found[2] and math.max(0, found[2] - now) or -1, now}
`;

interface DirectoryCommands {
  sluiceFence(key: string, fenceMs: number): Promise<null>;
  sluiceRun(key: string): Promise<string>;
  sluicePublish(
    key: string,
    version: number,
    active: 0 | 1,
    record: string,
    ...putBackIn: string[]
  ): Promise<0 | 1>;
  sluiceRead(key: string): Promise<[string | null, number, number]>;
}

export function createSourceDirectory({
  redis,
  keyspace,
}: {
  redis: Redis;
  keyspace: Keyspace;
}): SourceDirectory {
  redis.defineCommand('sluiceFence', { numberOfKeys: 1, lua: FENCE });
  redis.defineCommand('sluiceRun', { numberOfKeys: 1, lua: RUN_NOW });
  redis.defineCommand('sluicePublish', { numberOfKeys: 1, lua: PUBLISH });
  redis.defineCommand('sluiceRead', { numberOfKeys: 1, lua: READ, readOnly: true });
  const commands = redis as unknown as DirectoryCommands;
  const write = async (record: SourceRecord, ...putBackIn: string[]): Promise<boolean> => {
    const { source_id, version, active } = record;
    const fields = [version, active ? 1 : 0, JSON.stringify(record)] as const;
    return (await commands.sluicePublish(keyspace.source(source_id), ...fields, ...putBackIn)) === 1;
  };
  return {
    async fence(sourceId) {
      await commands.sluiceFence(keyspace.source(sourceId), FENCE_MS);
    },
    publish: (record) => write(record),
    async republish(load) {
      const run = await commands.sluiceRun(keyspace.prefix);
      const record = await load();
      return record !== undefined && (await write(record, run)) ? record : undefined;
    },
    async read(sourceId) {
      const [record, fencedForMs, nowMs] = await commands.sluiceRead(keyspace.source(sourceId));
      if (fencedForMs > 0) return { state: 'changing', retryAfterMs: fencedForMs };
      if (record === null || fencedForMs === 0) return { state: 'absent' };
      return { state: 'published', record: asOf(JSON.parse(record), nowMs) };
    },
  };
}

/**
 * The record with an overlap that is over taken out. The admission sends back what was verified with a record that
 * still has it (admit.lua.ts), by the same clock, so that no replica accepts the old secret after the end.
 */
function asOf(record: SourceRecord, nowMs: number): SourceRecord {
  const { previous_secret: previous } = record;
  if (previous === undefined || previous.accepted_until === null || previous.accepted_until > nowMs)
    return record;
  return { ...record, previous_secret: { ...previous, accepted_until: null } };
}
