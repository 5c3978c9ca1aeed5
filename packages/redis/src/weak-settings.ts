import type { Redis } from 'ioredis';
import type { Keyspace } from './keyspace.ts';
import { createShardNode } from './shards/shard-node.ts';

/** A setting of Redis that risks the loss or delay of accepted actions, and the command that corrects it. */
export interface Weakness {
  readonly setting: WatchedSetting;
  readonly value: string;
  readonly consequence: string;
  readonly mend: string;
}

/**
 * Reads the settings of a shard's server, and returns those to correct. Hosted servers may hide their settings, and then there
 * is none. Rejects if Redis does not answer.
 */
export async function readWeaknesses(redis: Redis, keyspace: Keyspace): Promise<readonly Weakness[]> {
  return weaknessesOf(await createShardNode(redis, keyspace).settings(WATCHED_SETTINGS));
}

/** Explains a weakness, with its consequence and the command. */
export const explainWeakness = ({ setting, value, consequence, mend }: Weakness): string =>
  `Redis has ${setting} ${value}: ${consequence}. Mend it with: ${mend}, and set the same in its redis.conf.`;

const EVICTION = 'maxmemory-policy';
const APPENDONLY = 'appendonly';
const APPENDFSYNC = 'appendfsync';
const REWRITE_FROM = 'auto-aof-rewrite-min-size';
const REWRITE_GROWTH = 'auto-aof-rewrite-percentage';
export const WATCHED_SETTINGS = [EVICTION, APPENDONLY, APPENDFSYNC, REWRITE_FROM, REWRITE_GROWTH] as const;
type WatchedSetting = (typeof WATCHED_SETTINGS)[number];

/** Half of the value in docs/running.md. With the default of 64 MiB, Redis rewrites every 4 s under load (bench/speed-tried.md). */
const LEAST_REWRITE_BYTES = 256 * 1024 * 1024;

/** The settings to correct. Unknown settings are ignored. */
function weaknessesOf(settings: ReadonlyMap<string, string>): Weakness[] {
  const found: Weakness[] = [];
  const policy = settings.get(EVICTION);
  if (policy !== undefined && policy !== 'noeviction')
    found.push(weakness(settings, EVICTION, 'noeviction', 'it deletes accepted actions when it is full'));
  if (settings.get(APPENDONLY) === 'no')
    return [
      ...found,
      weakness(settings, APPENDONLY, 'yes', 'all accepted actions that wait are lost when it stops'),
    ];
  const fsync = settings.get(APPENDFSYNC);
  if (fsync !== undefined && fsync !== 'always')
    found.push(
      weakness(
        settings,
        APPENDFSYNC,
        'always',
        'the last seconds of what was accepted are lost when its machine fails',
      ),
    );
  const rewrites = settings.get(REWRITE_GROWTH) !== '0';
  if (rewrites && Number(settings.get(REWRITE_FROM)) < LEAST_REWRITE_BYTES)
    found.push(
      weakness(
        settings,
        REWRITE_FROM,
        '512mb',
        'under load it rewrites its file every few seconds, and answers wait for the disk',
      ),
    );
  return found;
}

function weakness(
  settings: ReadonlyMap<string, string>,
  setting: WatchedSetting,
  wanted: string,
  consequence: string,
): Weakness {
  const mend = `redis-cli CONFIG SET ${setting} ${wanted}`;
  return { setting, value: settings.get(setting) ?? '', consequence, mend };
}
