import type { RateLimiter } from '@sluice/admission/rate-limiter';
import { feedToRead } from '@sluice/dashboard-api/imports';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { FetchFeed } from '@sluice/feeds/fetch-feed';
import { decodeCalendar } from '@sluice/icalendar/decode-calendar';
import type { Binder } from '../http/bind.ts';
import { done, refuse } from '../http/result.ts';

export interface FeedRouteDeps {
  readonly fetchFeed: FetchFeed;
  readonly take: RateLimiter;
}

/** Feed fetches per account: enough to try out URLs, too few to harm the feed's server. */
const PER_ACCOUNT = { count: 20, seconds: 600 };

const NO_CALENDAR =
  'did not respond with an iCalendar feed, which starts with BEGIN:VCALENDAR. Use the URL of the .ics file.';

/**
 * Fetches a calendar for the page, which parses it like a file. Only content that starts like a calendar is returned,
 * so that this route cannot be used to read other resources.
 */
export function feedRoute({ guarded }: Binder, { fetchFeed, take }: FeedRouteDeps): void {
  guarded(ROUTES.events.readFeed, { body: feedToRead }, async ({ who, body }) => {
    const { allowed, retryAfterSeconds } = await take('feed', who.accountId, PER_ACCOUNT);
    if (!allowed) {
      const detail = `This account has fetched too many feeds. Try again in ${retryAfterSeconds} seconds.`;
      return refuse('rate_limited', detail, { retryAfterSeconds });
    }
    const fetched = await fetchFeed(body.url);
    if (fetched.outcome === 'refused') return refuse('feed_unreadable', fetched.detail);
    const text = decodeCalendar(fetched.bytes, fetched.charset)
      .text.replace(/^\uFEFF/, '')
      .trimStart();
    if (!/^BEGIN:VCALENDAR/i.test(text)) return refuse('feed_unreadable', `${fetched.host} ${NO_CALENDAR}`);
    return done({ host: fetched.host, text });
  });
}
