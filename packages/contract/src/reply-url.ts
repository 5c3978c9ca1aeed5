/** The longest reply URL. Characters. */
export const REPLY_URL_MAX = 2000;

export type ReplyUrlChecked =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly detail: string };

const NOT_A_URL = 'Not a URL. Example: https://chat.example.com/replies';
const NOT_HTTPS = 'Replies are sent by https only. Use an https URL.';

/**
 * Checks the URL to which a channel's replies are sent. Returns it as WHATWG writes it. `allowHttp` is for installations
 * that allow private networks: TLS is rare on a developer's machine. The address is checked again for each connection.
 */
export function checkReplyUrl(text: string, { allowHttp }: { readonly allowHttp: boolean }): ReplyUrlChecked {
  const trimmed = text.trim();
  if (trimmed.length > REPLY_URL_MAX) return wrong(`Longer than ${REPLY_URL_MAX} characters. Shorten it.`);
  if (!trimmed.isWellFormed() || !URL.canParse(trimmed)) return wrong(NOT_A_URL);
  const url = new URL(trimmed);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowHttp)) return wrong(NOT_HTTPS);
  if (url.username !== '' || url.password !== '')
    return wrong('Contains a user name or a password. Remove it: each reply is signed.');
  if (trimmed.includes('#')) return wrong('Contains a fragment (#…). Remove it: a request does not send it.');
  return { ok: true, url: url.href };
}

function wrong(detail: string): ReplyUrlChecked {
  return { ok: false, detail };
}
