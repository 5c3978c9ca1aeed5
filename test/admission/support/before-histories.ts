import type { SourceRecord } from '@sluice/admission/source-record';
import type { Keyspace } from '@sluice/redis/keyspace';
import type { Redis } from 'ioredis';

/** How the scripts of version 0.1.0 name the run of Redis. */
const RUN_OF_0_1_0 = `
local info = redis.pcall('INFO', 'server')
local run = type(info) == 'string' and string.match(info, 'run_id:(%x+)') or ''
`;

const PUBLISH = `${RUN_OF_0_1_0}
redis.call('HSET', KEYS[1], 'version', ARGV[1], 'active', ARGV[2], 'record', ARGV[3], 'run', run)
`;
const READ = `${RUN_OF_0_1_0}
local found = redis.call('HMGET', KEYS[1], 'record', 'run')
return found[2] == run and found[1]
`;

/** The sources as a process of version 0.1.0 publishes and reads them. */
export function beforeHistories(redis: Redis, keyspace: Keyspace) {
  return {
    async publish(record: SourceRecord): Promise<void> {
      const fields = [record.version, record.active ? 1 : 0, JSON.stringify(record)];
      await redis.eval(PUBLISH, 1, keyspace.source(record.source_id), ...fields);
    },
    /** Resolves to null if the source was published to another run. */
    async read(sourceId: string): Promise<SourceRecord | null> {
      const found = (await redis.eval(READ, 1, keyspace.source(sourceId))) as string | null;
      return found === null ? null : JSON.parse(found);
    },
  };
}
