import { DAY_MS } from '@sluice/contract/time/durations';
import type { PublishedSubscription } from '@sluice/outbound/queue/published-subscription';

/** The result of one request. */
export type Answer =
  | {
      readonly kind: 'response';
      readonly status: number;
      /** Retry-After in milliseconds; null if the response has none that can be read. */
      readonly retryAfterMs: number | null;
      /** The value of Location; null without one. */
      readonly location: string | null;
      /** The start of the body. */
      readonly body: string;
    }
  /** A connected program reads it. */
  | { readonly kind: 'streamed' }
  | { readonly kind: 'error'; readonly code: RequestErrorCode };

export type RequestErrorCode =
  /** All connections to its host were in use. Nothing was sent. */
  | 'no_connection'
  /** This process or its machine has no room for another connection. Nothing was sent. */
  | 'no_socket'
  /** OUTBOUND_PROXY cannot be reached, or hangs. Nothing was sent. */
  | 'no_proxy'
  /** OUTBOUND_PROXY accepts no connection from here. Nothing was sent. */
  | 'proxy_rejected'
  /** OUTBOUND_PROXY allows no connection to this host. Nothing was sent. */
  | 'proxy_forbids'
  /** OUTBOUND_PROXY could not connect to the host. Nothing was sent. */
  | 'proxy_cannot_connect'
  /** The lookup of the name goes on, or no name server has answered for a while. Nothing was sent. */
  | 'no_name_server'
  /** No key of this installation opens the secret that signs. Nothing was sent. */
  | 'no_secret'
  /** It waited for longer than it is of use. Nothing was sent. */
  | 'too_old'
  | 'connect_timeout'
  | 'timeout'
  | 'unknown_host'
  | 'forbidden_address'
  /** Nothing was sent. */
  | 'plain_http'
  | 'tls'
  | 'connection_refused'
  | 'connection_closed'
  | 'headers_too_long'
  | 'not_http';

export interface Judgement {
  /** For the log: `delivered` or the reason why not. */
  readonly code: string;
  /** For an admin. */
  readonly sentence: string;
  readonly next:
    | 'done'
    /** The message is tried again. */
    | 'retry'
    /** The receiver was not contacted. The message is tried again soon, and this is not one of its attempts. */
    | 'wait'
    /** The same, and it stays so until an admin has acted. */
    | 'blocked'
    /** The receiver is gone: its subscription is removed. */
    | 'remove';
  /** How long the subscription pauses. Milliseconds. */
  readonly holdMs?: number;
}

/** Other subscriptions use all connections to the host. They get this long before the subscription asks for one again. */
const BUSY_HOST_MS = 5000;
/** Other requests of this process end meanwhile, and give their connections back. Milliseconds. */
const NO_SOCKET_MS = 5000;
/** All subscriptions ask the proxy again after this. Milliseconds. */
const NO_PROXY_MS = 5000;
/** An operator has to change the proxy, so it is asked less often. Milliseconds. */
const PROXY_REJECTED_MS = 30_000;
/** Name servers are mostly away for a moment. Milliseconds. */
const NO_NAME_SERVER_MS = 5000;
/** A subscription whose secret cannot be opened asks again after this. Milliseconds. */
const NO_SECRET_MS = 10_000;

const MAX_RETRY_AFTER_MS = DAY_MS;

const STREAMED = 'Handed to the stream that sluice listen reads. It shows what the receiver answered.';

/** Decides what an answer means for its message (Standard Webhooks 1.0, and what automation platforms answer). */
export function judge(answer: Answer, kind: PublishedSubscription['kind'] = 'webhook'): Judgement {
  switch (answer.kind) {
    case 'error':
      return ofError(answer.code);
    case 'streamed':
      return { code: 'delivered', sentence: STREAMED, next: 'done' };
    case 'response':
      return answer.status === 410 && kind === 'reply'
        ? retry('gone', 'The reply URL answered 410: it is gone. Correct it under Settings > Channels.')
        : ofResponse(answer);
  }
}

function ofResponse({ status, retryAfterMs, location }: Answer & { kind: 'response' }): Judgement {
  // A success is decided by the status alone. n8n lets each flow set the text.
  if (status >= 200 && status < 300)
    return { code: 'delivered', sentence: `Delivered: ${status}.`, next: 'done' };
  const hold = retryAfterMs === null ? {} : { holdMs: Math.min(retryAfterMs, MAX_RETRY_AFTER_MS) };
  switch (true) {
    case status >= 300 && status < 400:
      return retry(
        'redirected',
        `The receiver redirects (${status})${hostOf(location)}. Redirects are not followed. Use the final URL.`,
      );
    case status === 401 || status === 403:
      return retry(
        'signature_rejected',
        `The receiver rejected the request (${status}). Check that it verifies with the current secret.`,
      );
    case status === 404:
      return retry(
        'not_found',
        'The receiver answered 404. In n8n: the workflow is switched off, or restarting.',
      );
    case status === 410:
      return {
        code: 'gone',
        sentence: 'The receiver answered 410: it is gone. The subscription was removed.',
        next: 'remove',
      };
    case status === 429:
      return {
        ...retry(
          'rate_limited',
          `The receiver accepts no further requests now (429)${untilOf(retryAfterMs)}.`,
        ),
        ...hold,
      };
    case status === 503:
      return {
        ...retry('unavailable', `The receiver is unavailable (503)${untilOf(retryAfterMs)}.`),
        ...hold,
      };
    case status >= 500:
      return retry('server_error', `The receiver failed (${status}). Look into its log.`);
    default:
      return retry('rejected', `The receiver rejected the message (${status}). Its response says why.`);
  }
}

const ERRORS: Readonly<Record<RequestErrorCode, string>> = {
  no_connection:
    'Nothing was sent: all connections to this host were in use by other messages, or Redis had no room for another stream. It does not count as a failure.',
  no_socket:
    'Nothing was sent: the dispatcher had no room for another connection. It does not count as a failure. Ask the operator.',
  no_proxy:
    'Nothing was sent: the proxy of the dispatcher (OUTBOUND_PROXY) does not respond. It does not count as a failure. Ask the operator.',
  proxy_rejected:
    'Nothing was sent: the proxy of the dispatcher (OUTBOUND_PROXY) rejects its connections. It does not count as a failure. Ask the operator.',
  proxy_forbids:
    'Nothing was sent: the proxy of the dispatcher (OUTBOUND_PROXY) allows no connection to this host. Use another host, or ask the operator.',
  proxy_cannot_connect:
    'The proxy of the dispatcher could not connect to the host. Check the URL, and that the receiver is running.',
  no_name_server:
    'Nothing was sent: no name server answered the dispatcher in time. It does not count as a failure. If it lasts, check the URL and ask the operator.',
  no_secret:
    'Nothing was sent: no key of this installation opens the secret of the subscription. Rotate the secret, or ask the operator for the key that encrypted it.',
  too_old: 'Nothing was sent: it waited for too long.',
  connect_timeout:
    'No connection within 5 seconds. Check that the receiver is running and can be reached from here.',
  timeout:
    'No complete response within 15 seconds. Respond first and work afterwards. A Node-RED flow without an "http response" node never responds.',
  unknown_host: 'The host name is unknown, or the name servers of its domain do not answer. Check the URL.',
  forbidden_address:
    'The host is in a private or special network, which is not allowed here. Use a public address, or ask an operator to list the host in OUTBOUND_ALLOW.',
  plain_http:
    'Nothing was sent: the URL is http, which is not encrypted and not allowed here. Use https, or in a private network ask an operator to list the host in OUTBOUND_ALLOW.',
  tls: 'The TLS certificate is not valid for this host. Renew it, or use the name that it is for.',
  connection_refused: 'The connection was refused: nothing listens at this address and port.',
  connection_closed: 'The connection was closed before a response came.',
  headers_too_long: 'The headers of the response are too long: more than 16 KiB. Send fewer or shorter ones.',
  not_http: 'The response is not HTTP.',
};

/** The receiver was not contacted, for a reason that is not its own. How long its subscription pauses. */
const WAITS: Readonly<Partial<Record<RequestErrorCode, Pick<Judgement, 'next' | 'holdMs'>>>> = {
  no_connection: { next: 'wait', holdMs: BUSY_HOST_MS },
  no_socket: { next: 'wait', holdMs: NO_SOCKET_MS },
  no_proxy: { next: 'wait', holdMs: NO_PROXY_MS },
  proxy_rejected: { next: 'wait', holdMs: PROXY_REJECTED_MS },
  no_name_server: { next: 'wait', holdMs: NO_NAME_SERVER_MS },
  no_secret: { next: 'blocked', holdMs: NO_SECRET_MS },
  too_old: { next: 'wait' },
};

function ofError(code: RequestErrorCode): Judgement {
  const sentence = ERRORS[code];
  const waits = WAITS[code];
  return waits === undefined ? retry(code, sentence) : { code, sentence, ...waits };
}

function retry(code: string, sentence: string): Judgement {
  return { code, sentence, next: 'retry' };
}

/** Only the host: a path may contain a secret. */
function hostOf(location: string | null): string {
  return location !== null && URL.canParse(location) ? ` to ${new URL(location).host}` : '';
}

function untilOf(retryAfterMs: number | null): string {
  return retryAfterMs === null
    ? ''
    : ` and asks to wait ${Math.ceil(Math.min(retryAfterMs, MAX_RETRY_AFTER_MS) / 1000)} s`;
}

/** The three formats of RFC 9110, section 5.6.7. The last one has no zone. */
const HTTP_DATE =
  /^[A-Za-z]{3}, \d\d [A-Za-z]{3} \d{4} [\d:]{8} GMT$|^[A-Za-z]{6,9}, \d\d-[A-Za-z]{3}-\d\d [\d:]{8} GMT$|^[A-Za-z]{3} [A-Za-z]{3} [ \d]\d [\d:]{8} \d{4}$/;

/**
 * Reads Retry-After: seconds, or a date (RFC 9110, section 10.2.3). Some send a fraction of a second, which `Date.parse` reads as a
 * date decades ahead. Returns milliseconds; null for anything else. `now` in milliseconds since the Unix epoch.
 */
export function readRetryAfter(value: string | null, now: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+(\.\d*)?$/.test(text)) return Math.ceil(Number(text)) * 1000;
  if (!HTTP_DATE.test(text)) return null;
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
