/** The three formats of RFC 9110, section 5.6.7. The last one has no zone. */
const HTTP_DATE =
  /^[A-Za-z]{3}, \d\d [A-Za-z]{3} \d{4} [\d:]{8} GMT$|^[A-Za-z]{6,9}, \d\d-[A-Za-z]{3}-\d\d [\d:]{8} GMT$|^[A-Za-z]{3} [A-Za-z]{3} [ \d]\d [\d:]{8} \d{4}$/;

/**
 * Retry-After in milliseconds: seconds or an HTTP date (RFC 9110). Some servers send a fraction of a second, which `Date.parse`
 * reads as a date decades ahead. Undefined: there is none, or it is neither.
 */
export function retryAfterMs(headers: Headers, now: number = Date.now()): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d*)?$/.test(text)) return Math.ceil(Number(text)) * 1000;
  if (!HTTP_DATE.test(text)) return undefined;
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
