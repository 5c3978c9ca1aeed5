import { decodeCalendar, decodingNotes } from '../calendar/decode-calendar.ts';
import type { FetchFeed } from './fetch-feed.ts';

/** Limit on fetching a feed: shorter than the response timeout of browsers and proxies. Milliseconds. */
export const FEED_TIMEOUT_MS = 15_000;

/** The text of a calendar feed, or why there is none. */
export type FeedRead =
  | {
      readonly outcome: 'read';
      /** Serves as the name of the file, because the whole address may be a secret. */
      readonly host: string;
      readonly text: string;
      /** Sentences about its encoding. */
      readonly decoding: readonly string[];
    }
  | { readonly outcome: 'refused'; readonly detail: string };

const NO_CALENDAR =
  'did not respond with an iCalendar feed, which starts with BEGIN:VCALENDAR. Use the URL of the .ics file.';

/** Fetches a feed and decodes it. Only content that starts like a calendar is returned, so that nothing else can be read. */
export async function readFeed(fetchFeed: FetchFeed, url: string): Promise<FeedRead> {
  const fetched = await fetchFeed(url);
  if (fetched.outcome === 'refused') return fetched;
  const { host, bytes, charset } = fetched;
  const decoded = decodeCalendar(bytes, charset);
  // Empty lines stay, so that the lines keep their numbers.
  const text = decoded.text.replace(/^[\uFEFF\s]*/, (before) => before.replace(/[^\r\n]/g, ''));
  return /^\s*BEGIN:(?:VCALENDAR|VEVENT)/i.test(text)
    ? { outcome: 'read', host, text, decoding: decodingNotes(decoded) }
    : { outcome: 'refused', detail: `${host} ${NO_CALENDAR}` };
}
