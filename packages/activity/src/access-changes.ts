import type { Keyspace } from '@sluice/shards/keyspace';
import type { Redis } from 'ioredis';

interface AccessChangesDeps {
  readonly redis: Redis;
  readonly keyspace: Keyspace;
}

/** API servers read several times a second, so only the newest notes matter. */
const NOTES_KEPT = 1000;
const KEPT_SECONDS = 60;

/** The place before the first note. */
const NOTHING_YET = '0-0';

/** Notes that a session of this user has ended, or that their role has changed. API servers then check the user's live streams at once. */
export async function noteAccessChange(
  { redis, keyspace }: AccessChangesDeps,
  userId: string,
): Promise<void> {
  const key = keyspace.accessChanges;
  await redis
    .pipeline()
    .xadd(key, 'MAXLEN', '~', NOTES_KEPT, '*', 'user', userId)
    .expire(key, KEPT_SECONDS)
    .exec();
}

/** The place after the newest note. */
export async function accessChangesNow({ redis, keyspace }: AccessChangesDeps): Promise<string> {
  const [last] = await redis.xrevrange(keyspace.accessChanges, '+', '-', 'COUNT', 1);
  return last?.[0] ?? NOTHING_YET;
}

/** The users that were noted after a place, and the place after them. */
export async function readAccessChanges(
  { redis, keyspace }: AccessChangesDeps,
  after: string,
): Promise<{ readonly userIds: ReadonlySet<string>; readonly place: string }> {
  const [stream] = (await redis.xread('STREAMS', keyspace.accessChanges, after)) ?? [];
  const notes = stream?.[1] ?? [];
  return { userIds: new Set(notes.map(([, fields]) => fields[1] ?? '')), place: notes.at(-1)?.[0] ?? after };
}
