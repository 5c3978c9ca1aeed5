import type { Logger } from '@sluice/runtime/telemetry/logger';
import { createShardNode } from '@sluice/shards/shard-node';
import type { Shards } from '@sluice/shards/shards';
import type { Redis } from 'ioredis';

/** A setting of Redis that risks the loss or delay of accepted actions, and the command that corrects it. */
interface Weakness {
  readonly setting: string;
  readonly value: string;
  readonly consequence: string;
  readonly mend: string;
}

export interface WeaknessWarningDeps {
  readonly redis: Redis;
  readonly shards: Shards;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Reads the settings of every shard's server at each call, and warns of each setting once. Hosted servers may hide their
 * settings, and then there is no warning. A server that is away is read at the next call.
 */
export function createWeaknessWarning({ redis, shards, logger }: WeaknessWarningDeps): () => Promise<void> {
  const told = new Set<string>();
  const look = async () => {
    for (const keyspace of shards.all) {
      const settings = await createShardNode(redis, keyspace).settings(ASKED);
      for (const weakness of weaknessesOf(settings)) tell(weakness);
    }
  };
  const tell = ({ setting, value, consequence, mend }: Weakness) => {
    if (told.has(setting)) return;
    told.add(setting);
    const text = `Redis has ${setting} ${value}: ${consequence}. Mend it with: ${mend}, and set the same in its redis.conf.`;
    logger.warn({ event: 'redis.weak', setting, value }, text);
  };
  return () => look().catch(() => {});
}

const APPENDONLY = 'appendonly';
const APPENDFSYNC = 'appendfsync';
const REWRITE_FROM = 'auto-aof-rewrite-min-size';
const REWRITE_GROWTH = 'auto-aof-rewrite-percentage';
const ASKED = [APPENDONLY, APPENDFSYNC, REWRITE_FROM, REWRITE_GROWTH];

/** Half of the value in docs/running.md. With the default of 64 MiB, Redis rewrites every 4 s under load (bench/speed-tried.md). */
const LEAST_REWRITE_BYTES = 256 * 1024 * 1024;

/** The settings to correct. Unknown settings are ignored. */
function weaknessesOf(settings: ReadonlyMap<string, string>): Weakness[] {
  if (settings.get(APPENDONLY) === 'no')
    return [weakness(settings, APPENDONLY, 'yes', 'all accepted actions that wait are lost when it stops')];
  const found: Weakness[] = [];
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
  setting: string,
  wanted: string,
  consequence: string,
): Weakness {
  const mend = `redis-cli CONFIG SET ${setting} ${wanted}`;
  return { setting, value: settings.get(setting) ?? '', consequence, mend };
}
