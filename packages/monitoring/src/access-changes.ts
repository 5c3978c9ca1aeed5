import type { Keyspace } from '@sluice/redis/keyspace';
import { repliesOf } from '@sluice/redis/replies-of';
import type { Redis } from 'ioredis';
import { lastPlace, readStreams, type StreamPlace } from './read-streams.ts';

interface AccessChangesDeps {
  readonly redis: Redis;
  readonly keyspace: Keyspace;
}

/** API servers read several times a second, so only the newest notes matter. */
const NOTES_KEPT = 1000;
const KEPT_SECONDS = 60;

/**
 * Notes that a session of this user has ended, or that their role has changed. API servers then check the user's live streams at once.
 * Rejects if Redis does not store it.
 */
export async function noteAccessChange(
  { redis, keyspace }: AccessChangesDeps,
  userId: string,
): Promise<void> {
  const key = keyspace.accessChanges;
  const note = redis.pipeline().xadd(key, 'MAXLEN', '~', NOTES_KEPT, '*', 'user', userId);
  await repliesOf(note.expire(key, KEPT_SECONDS));
}

/** The place after the newest note. */
export function accessChangesNow({ redis, keyspace }: AccessChangesDeps): Promise<StreamPlace> {
  return lastPlace(redis, keyspace.accessChanges);
}

/** The users that were noted. `anyone`: Redis may have lost notes. */
export type ChangedUsers = ReadonlySet<string> | 'anyone';

/** The users that were noted after a place, and the place after them. */
export async function readAccessChanges(
  { redis, keyspace }: AccessChangesDeps,
  after: StreamPlace,
): Promise<{ readonly users: ChangedUsers; readonly place: StreamPlace }> {
  const [news] = await readStreams(redis, [[keyspace.accessChanges, after]], NOTES_KEPT);
  if (news === undefined) return { users: new Set(), place: after };
  if (news.status === 'moved') return { users: news.isMissing ? 'anyone' : new Set(), place: news.place };
  const { entries } = news;
  const id = entries.at(-1)?.[0] ?? after.id;
  return { users: new Set(entries.map(([, fields]) => fields[1] ?? '')), place: { run: after.run, id } };
}
