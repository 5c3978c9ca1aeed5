import { feedToRead } from '@sluice/dashboard-api/imports';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { readFeed } from '@sluice/import/feed/fetch-feed';
import type { Binder } from '../http/bind.ts';
import { done, refuse } from '../http/result.ts';
import type { RouteDeps } from '../parts.ts';

/** Feed fetches per account: enough to try out URLs, too few to harm the feed's server. */
const PER_ACCOUNT = { count: 20, seconds: 600 };

/** Fetches a calendar for the page, which parses it like a file. */
export function feedRoute({ guarded }: Binder, { fetchFeed, take }: RouteDeps): void {
  guarded(ROUTES.events.readFeed, { body: feedToRead }, async ({ who, body }) => {
    const { allowed, retryAfterSeconds } = await take('feed', who.accountId, PER_ACCOUNT);
    if (!allowed) {
      const detail = `This account has fetched too many feeds. Try again in ${retryAfterSeconds} seconds.`;
      return refuse('rate_limited', detail, { retryAfterSeconds });
    }
    const read = await readFeed(fetchFeed, body.url);
    if (read.outcome === 'refused') return refuse('feed_unreadable', read.detail);
    const { host, text, decoding } = read;
    return done({ host, text, decoding: [...decoding] });
  });
}
