/** The URL to fetch, or why it is not fetched. `detail` never repeats the URL, because it may be a secret. */
export type FeedUrl =
  | { readonly outcome: 'url'; readonly url: URL }
  | { readonly outcome: 'refused'; readonly detail: string };

const WEBCAL = /^webcals?:/i;

/** Below 1024 only those of the web: what listens there otherwise understands HTTP as something else. */
const FIRST_FREE_PORT = 1024;

/** Reads the address of a feed, as typed or as a redirect names it. `webcal:` stands for https. */
export function readFeedUrl(text: string, base?: URL): FeedUrl {
  const written = text.trim().replace(WEBCAL, 'https:');
  if (!URL.canParse(written, base?.href))
    return refused('This is no URL. Paste the whole address, with https://.');
  const url = new URL(written, base);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refused('Only addresses that begin with https://, http:// or webcal:// are fetched.');
  if (url.username !== '' || url.password !== '')
    return refused(
      'Take user name and password out of the address. Use the private address of the feed, if it has one.',
    );
  const port = Number(url.port);
  if (url.port !== '' && port < FIRST_FREE_PORT && port !== 80 && port !== 443)
    return refused(`Port ${port} is not one that feeds are fetched from.`);
  url.hash = '';
  return { outcome: 'url', url };
}

function refused(detail: string): FeedUrl {
  return { outcome: 'refused', detail };
}
