import { STATUS_CODES } from 'node:http';
import { KEEP_ALIVE_MS } from '@sluice/runtime/http/http-server';
import type { AnswerHeaders } from '../../answer/reply.ts';
import type { Incoming, Received } from '../../receive/incoming.ts';
import type { BoundedTurns } from '../bounded-turns.ts';
import type { Exchange } from '../exchange.ts';
import type { AddressOf } from '../sender-address.ts';
import type { PlainConnection, PlainConnectionDeps } from './plain-connection.ts';
import type { PlainRequest } from './read-plain-request.ts';

export interface PlainRequestsDeps {
  readonly turns: BoundedTurns;
  readonly exchange: Exchange;
  readonly addressOf: AddressOf;
  /** One call for each request. */
  readonly onRead: (reader: 'plain') => void;
}

/** Begins plain requests, in bounded turns of the event loop. */
export function beginPlain({
  turns,
  exchange,
  addressOf,
  onRead,
}: PlainRequestsDeps): PlainConnectionDeps['begin'] {
  return (request, connection) =>
    turns({
      connection,
      begin() {
        onRead('plain');
        void exchange(plainIncoming(request, connection, addressOf), request.sourceId, request.kind);
      },
      isGone: () => connection.socket.destroyed,
    });
}

function plainIncoming(
  { headers, body }: PlainRequest,
  connection: PlainConnection,
  addressOf: AddressOf,
): Incoming {
  const received: Received = { outcome: 'body', bytes: body };
  let answered = false;
  return {
    method: 'POST',
    headers,
    // Not a getter: each would give its object a separate shape, which V8 keeps, with all it refers to, until a major collection.
    ip: () => addressOf({ headers, socket: connection.socket }),
    readBody: () => received,
    send(status: number, answerHeaders: AnswerHeaders, payload: string) {
      if (answered) return;
      answered = true;
      const text = answerText(status, answerHeaders, payload, Date.now());
      connection.answer(text, answerHeaders['content-length'] === payload.length ? 'latin1' : 'utf8');
    },
  };
}

const KEPT_ALIVE = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / 1000}\r\n\r\n`;

/** Writes a response as Node's HTTP server does on a connection that stays open. Times are in milliseconds since 1970. */
export function answerText(status: number, headers: AnswerHeaders, payload: string, nowMs: number): string {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  for (const name in headers) text += `${name}: ${headers[name]}\r\n`;
  return `${text}Date: ${httpDate(nowMs)}\r\n${KEPT_ALIVE}${payload}`;
}

let dated = { second: -1, text: '' };

/** Formats a date once a second, because that costs as much as the rest of the response. */
function httpDate(nowMs: number): string {
  const second = Math.floor(nowMs / 1000);
  if (second !== dated.second) dated = { second, text: new Date(nowMs).toUTCString() };
  return dated.text;
}
