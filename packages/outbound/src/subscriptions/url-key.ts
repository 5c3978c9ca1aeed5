import { hash } from 'node:crypto';
import { isStreamUrl } from '@sluice/contract/subscription/stream-url';

/** The key by which the subscription of a URL is found. An index has no room for the URL itself. */
export function urlKey(targetUrl: string): string {
  return hash('sha256', targetUrl, 'hex').slice(0, 32);
}

/** The URL as WHATWG writes it. A text that is no URL stays unchanged, and finds nothing. */
export function canonicalUrl(text: string): string {
  const trimmed = text.trim();
  return URL.canParse(trimmed) ? new URL(trimmed).href : trimmed;
}

/** n8n calls its editor's URLs so. */
const TEST_PATH = '/webhook-test/';

/** Whether the URL is one of a test in the editor of a platform, or of a connected program. */
export function isTestUrl(targetUrl: string): boolean {
  return isStreamUrl(targetUrl) || new URL(targetUrl).pathname.includes(TEST_PATH);
}
