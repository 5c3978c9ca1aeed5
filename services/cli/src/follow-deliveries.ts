import { keepPublished, type LiveEntry, liveNow, readLive } from '@sluice/monitoring/live-deliveries';
import type { Keyspace } from '@sluice/redis/keyspace';
import type { Redis } from 'ioredis';

export interface Live {
  readonly redis: Redis;
  readonly keyspace: Keyspace;
}

/** Maximum delay until a new row is read. Milliseconds. */
const EVERY_MS = 300;
/** Workers publish an account's rows for a minute after each announcement. Milliseconds. */
const RENEW_MS = 15_000;

/** Deliveries that were written together. `isMissing`: Redis may have lost some before them. */
export interface Followed extends Pick<LiveEntry, 'rows' | 'omitted'> {
  readonly isMissing?: boolean;
}

/**
 * Yields what workers write into the log of an account from now on, and an empty entry after each read without news, so that the
 * reader can stop. Never ends. Throws if Redis fails.
 */
export async function* followDeliveries(
  live: Live,
  accountId: string,
  { pause }: { readonly pause: (ms: number) => Promise<unknown> },
): AsyncGenerator<Followed> {
  let after = await liveNow(live, accountId);
  await keepPublished(live, accountId);
  let renewedAt = performance.now();
  for (;;) {
    if (performance.now() - renewedAt > RENEW_MS) {
      renewedAt = performance.now();
      await keepPublished(live, accountId);
    }
    const news = (await readLive(live, new Map([[accountId, after]]))).get(accountId);
    const entries = news?.status === 'read' ? news.entries : [];
    after = news?.status === 'moved' ? news.place : (entries.at(-1)?.place ?? after);
    yield* entries;
    if (entries.length > 0) continue;
    yield { rows: [], omitted: 0, isMissing: news?.status === 'moved' && news.isMissing };
    await pause(EVERY_MS);
  }
}
