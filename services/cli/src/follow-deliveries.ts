import type { ListedDelivery } from '@sluice/contract/delivery/delivery';
import { type DeliveryPlace, WRITTEN_WITHIN_MS } from '@sluice/store/deliveries/delivery-search';
import type { Page } from '@sluice/store/reading/read-page';

export interface FollowDeps {
  /** Reads a page of the log that is followed, newest first: rows received at `from` or later, after a place. */
  readonly read: (
    from: number,
    page: { readonly after?: DeliveryPlace; readonly limit: number },
  ) => Promise<Page<ListedDelivery>>;
  readonly pause: (ms: number) => Promise<unknown>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** Maximum delay until a new row is read. Milliseconds. */
const EVERY_MS = 1000;
const PAGE = 500;

/**
 * Yields the rows that come into a log from now on, oldest first, and an empty list after each read without news, so that the
 * reader can stop. Each read goes back behind the newest row, because workers write concurrently. Never ends.
 */
export async function* followDeliveries({
  read,
  pause,
  now,
}: FollowDeps): AsyncGenerator<readonly ListedDelivery[]> {
  const { items, more } = await read(0, { limit: PAGE });
  const seen = new Map(items.map(({ delivery_id, received_at }) => [delivery_id, received_at]));
  // The rows behind a full page came before, too.
  let from = more ? (items.at(-1)?.received_at ?? 0) + 1 : 0;
  let newest = items[0]?.received_at ?? 0;
  for (;;) {
    // A row from an ingress whose clock is ahead must not hide those of the others.
    from = Math.max(from, Math.min(newest, now()) - WRITTEN_WITHIN_MS);
    for (const [id, receivedAt] of seen) if (receivedAt < from) seen.delete(id);
    const news = await readNews(read, from, seen);
    for (const { delivery_id, received_at } of news) {
      seen.set(delivery_id, received_at);
      newest = Math.max(newest, received_at);
    }
    yield news.toReversed();
    await pause(EVERY_MS);
  }
}

/** Reads page after page, until one has only rows that were seen. */
async function readNews(
  read: FollowDeps['read'],
  from: number,
  seen: ReadonlyMap<string, number>,
): Promise<readonly ListedDelivery[]> {
  const news: ListedDelivery[] = [];
  let after: ListedDelivery | undefined;
  for (;;) {
    const page = await read(from, { limit: PAGE, ...(after !== undefined && { after }) });
    const unseen = page.items.filter(({ delivery_id }) => !seen.has(delivery_id));
    news.push(...unseen);
    if (!page.more || unseen.length === 0) return news;
    after = page.items.at(-1);
  }
}
