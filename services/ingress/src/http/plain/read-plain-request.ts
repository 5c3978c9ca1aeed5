import type { SourceKind } from '@sluice/contract/delivery/source-kind';
import { CONVERSATIONS_PATH, SOURCE_ID_PATTERN, WEBHOOK_PATH } from '@sluice/contract/delivery/webhook-path';
import { MAX_HEADER_LINES } from '../header-lines.ts';

/** A request to the endpoint of a source, read without Node's HTTP parser. */
export interface PlainRequest {
  readonly sourceId: string;
  /** The kind of source whose endpoint this is. */
  readonly kind: SourceKind;
  /** Names in lower case. Each was sent once. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact bytes of the body. */
  readonly body: Buffer;
}

/** Node reads larger heads. Its parser accepts 16 KiB. */
const MAX_HEAD_BYTES = 8 * 1024;
/** Node reads larger bodies, because they arrive in many reads. */
const MAX_BODY_BYTES = 64 * 1024;

const EVENTS_START = `POST ${WEBHOOK_PATH}`;
const CHANNEL_START = `POST ${CONVERSATIONS_PATH}`;
/** The first character in which the two differ. */
const KIND_AT = [...EVENTS_START].findIndex((character, at) => character !== CHANNEL_START[at]);
const EVENTS_MARK = EVENTS_START.charCodeAt(KIND_AT);
const CAPITAL_P = 0x50;
const END_OF_HEAD = '\r\n\r\n';

/** RFC 9112 without its optional and obsolete parts: no other method, version, target, line end, fold, tab or byte above ASCII. */
const PLAIN_HEAD = new RegExp(
  `^(?:${EVENTS_START}|${CHANNEL_START})(${SOURCE_ID_PATTERN}) HTTP/1\\.1\r\n(?:[A-Za-z0-9-]+:[\\x20-\\x7e]*\r\n)+\r\n$`,
);

const LENGTH = /^[1-9][0-9]{0,5}$/;

/**
 * Reads a request that arrived alone and in the plainest form of HTTP/1.1. No two readers can disagree about its end.
 * `no_body_yet`: the head is plain and the body is missing, because many clients send it in a separate packet.
 * `not_plain`: anything else, valid or not. Node's parser reads it. Pure.
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
  // Node reads a body in many pieces too. Its memory is bounded there (receive/body-room.ts).
  if (bytes.length !== headBytes + Number(length)) return 'not_plain';
  // Read from the bytes again: a slice of a string keeps all of it in memory, and unknown ids are cached (find-source.ts).
  const kind = bytes[KIND_AT] === EVENTS_MARK ? 'events' : 'channel';
  const idStart = kind === 'events' ? EVENTS_START.length : CHANNEL_START.length;
  const sourceId = bytes.toString('latin1', idStart, idStart + idLength);
  return { sourceId, kind, headers, body: bytes.subarray(headBytes) };
}

/** Headers that no plain request has. Node's parser treats Proxy-Connection as Connection. */
const READ_BY_NODE = ['transfer-encoding', 'expect', 'upgrade', 'proxy-connection'] as const;

/**
 * Returns undefined if there are too many lines or a repeated header, or if a header changes the end of the message or of
 * its connection (RFC 9110, 7.6.1, 7.8, 10.1.1).
 */
function readHeaders(head: string): PlainRequest['headers'] | undefined {
  const headers: Record<string, string> = {};
  let lines = 0;
  for (let at = head.indexOf('\r\n') + 2; at < head.length - 2; ) {
    lines += 1;
    // Node reads such a request, and the app rejects it.
    if (lines > MAX_HEADER_LINES) return undefined;
    const colon = head.indexOf(':', at);
    const end = head.indexOf('\r\n', colon);
    const written = head.slice(at, colon);
    const name = USUAL_NAMES.get(written) ?? written.toLowerCase();
    // This also finds names that every object has, such as `constructor`.
    if (name in headers) return undefined;
    headers[name] = head.slice(colon + 1, end).trim();
    at = end + 2;
  }
  if (READ_BY_NODE.some((name) => name in headers)) return undefined;
  const { host, connection = 'keep-alive' } = headers;
  return host !== undefined && connection.toLowerCase() === 'keep-alive' ? headers : undefined;
}

/** Names as senders write them -> names in lower case. A lookup costs half of toLowerCase. */
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
