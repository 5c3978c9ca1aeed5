import type { RateLimiter } from '@sluice/admission/rate-limiter';
import { feedToRead } from '@sluice/dashboard-api/imports';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { decodeCalendar } from '@sluice/icalendar/decode-calendar';
import type { FetchFeed } from '../feed/fetch-feed.ts';
import type { Binder } from '../http/bind.ts';
import { done, refuse } from '../http/result.ts';

export interface FeedRouteDeps {
  readonly fetchFeed: FetchFeed;
  readonly take: RateLimiter;
}

/** Feeds that an account may have fetched: enough to try addresses, too few to trouble anybody with. */
const PER_ACCOUNT = { count: 20, seconds: 600 };

const NO_CALENDAR =
  'does not answer with an iCalendar feed, which begins with BEGIN:VCALENDAR. Look for the address of the .ics file.';

/**
 * Fetches a calendar for the page, which reads it as it reads a file. Only what begins as a calendar is passed on, so that
 * nobody reads anything else with the help of this route.
 */
export function feedRoute({ guarded }: Binder, { fetchFeed, take }: FeedRouteDeps): void {
  guarded(ROUTES.events.readFeed, { body: feedToRead }, async ({ who, body }) => {
    const { allowed, retryAfterSeconds } = await take('feed', who.accountId, PER_ACCOUNT);
    if (!allowed) {
      const detail = `Too many feeds were fetched for this account. Try again in ${retryAfterSeconds} seconds.`;
      return refuse('rate_limited', detail, { retryAfterSeconds });
    }
    const fetched = await fetchFeed(body.url);
    if (fetched.outcome === 'refused') return refuse('feed_unreadable', fetched.detail);
    const text = decodeCalendar(fetched.bytes)
      ?.replace(/^\uFEFF/, '')
      .trimStart();
    if (text === undefined || !/^BEGIN:VCALENDAR/i.test(text))
      return refuse('feed_unreadable', `${fetched.host} ${NO_CALENDAR}`);
    return done({ host: fetched.host, text });
  });
}
