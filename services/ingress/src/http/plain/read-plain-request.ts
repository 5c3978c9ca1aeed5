import { MAX_HEADER_LINES } from '../header-lines.ts';

/** A request to the endpoint of a source, read without Node's HTTP parser. */
export interface PlainRequest {
  readonly sourceId: string;
  /** Names in lower case; each came once. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact bytes of the body. */
  readonly body: Buffer;
}

/** Larger heads are Node's: its parser takes 16 KiB of them. */
const MAX_HEAD_BYTES = 8 * 1024;
/** Larger bodies are Node's: they come in many reads. */
const MAX_BODY_BYTES = 64 * 1024;

const BEFORE_ID = 'POST /api/v1/events/webhook/'.length;
const CAPITAL_P = 0x50;
const END_OF_HEAD = '\r\n\r\n';

/** RFC 9112, without what is optional or obsolete in it: no other method, version, target, line end, fold, tab or byte above ASCII. */
const PLAIN_HEAD =
  /^POST \/api\/v1\/events\/webhook\/([A-Za-z0-9_-]+) HTTP\/1\.1\r\n(?:[A-Za-z0-9-]+:[\x20-\x7e]*\r\n)+\r\n$/;

const LENGTH = /^[1-9][0-9]{0,5}$/;

/**
 * Reads a request that came alone and in the plainest form that HTTP/1.1 has, about whose end no two readers can disagree.
 * `no_body_yet`: so far it is one, as many clients send the body in a packet of its own. `not_plain`: everything else,
 * valid or not, which is for Node's parser to judge. Pure.
 */
export function readPlainRequest(bytes: Buffer): PlainRequest | 'no_body_yet' | 'not_plain' {
  if (bytes[0] !== CAPITAL_P) return 'not_plain';
  const headBytes = bytes.indexOf(END_OF_HEAD) + END_OF_HEAD.length;
  if (headBytes < END_OF_HEAD.length || headBytes > MAX_HEAD_BYTES) return 'not_plain';
  const head = bytes.toString('latin1', 0, headBytes);
  const idLength = PLAIN_HEAD.exec(head)?.[1]?.length;
  const headers = idLength === undefined ? undefined : readHeaders(head);
  if (idLength === undefined || headers === undefined) return 'not_plain';
  const length = headers['content-length'] ?? '';
  if (!LENGTH.test(length) || Number(length) > MAX_BODY_BYTES) return 'not_plain';
  if (bytes.length === headBytes) return 'no_body_yet';
  // A body in many pieces is Node's too: what such a sender can hold is bounded there (receive/body-room.ts).
  if (bytes.length !== headBytes + Number(length)) return 'not_plain';
  // Of the bytes again: what V8 cuts out of a string keeps all of it, and ids that nobody has are remembered (find-source.ts).
  const sourceId = bytes.toString('latin1', BEFORE_ID, BEFORE_ID + idLength);
  return { sourceId, headers, body: bytes.subarray(headBytes) };
}

/** What no plain request has; Proxy-Connection is Connection to Node's parser. */
const READ_BY_NODE = ['transfer-encoding', 'expect', 'upgrade', 'proxy-connection'] as const;

/** undefined: there are too many lines, a header came twice, or changes where the message ends or what becomes of its connection (RFC 9110, 7.6.1, 7.8, 10.1.1). */
function readHeaders(head: string): PlainRequest['headers'] | undefined {
  const headers: Record<string, string> = {};
  let lines = 0;
  for (let at = head.indexOf('\r\n') + 2; at < head.length - 2; ) {
    lines += 1;
    // Such a request is refused where Node reads it.
    if (lines > MAX_HEADER_LINES) return undefined;
    const colon = head.indexOf(':', at);
    const end = head.indexOf('\r\n', colon);
    const written = head.slice(at, colon);
    const name = USUAL_NAMES.get(written) ?? written.toLowerCase();
    // Also what every object has, such as `constructor`.
    if (name in headers) return undefined;
    headers[name] = head.slice(colon + 1, end).trim();
    at = end + 2;
  }
  if (READ_BY_NODE.some((name) => name in headers)) return undefined;
  const { host, connection = 'keep-alive' } = headers;
  return host !== undefined && connection.toLowerCase() === 'keep-alive' ? headers : undefined;
}

/** As senders write them, and as Node has them: to look one up costs half of what it takes to make it. */
const USUAL_NAMES: ReadonlyMap<string, string> = new Map(
  [
    'host',
    'connection',
    'accept',
    'accept-encoding',
    'content-length',
    'content-type',
    'traceparent',
    'user-agent',
    'x-forwarded-for',
    'x-service-signature',
    'x-service-timestamp',
  ].flatMap((name) => [
    [name, name],
    [name.replace(/\b[a-z]/g, (first) => first.toUpperCase()), name],
  ]),
);
