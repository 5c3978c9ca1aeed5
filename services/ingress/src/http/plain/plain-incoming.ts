import type { AnswerHeaders } from '../../answer/send.ts';
import type { Incoming } from '../../receive/incoming.ts';
import type { Received } from '../../receive/received.ts';
import { answerText } from './answer-text.ts';
import type { PlainConnection } from './plain-connection.ts';
import type { PlainRequest } from './read-plain-request.ts';

/** The address of whoever sent a request, behind the proxies that are believed. */
export type AddressOf = (
  http: Pick<Incoming, 'headers'> & Pick<PlainConnection, 'socket'>,
) => string | undefined;

/** A plain request as the endpoint takes it. */
export function plainIncoming(
  { headers, body }: PlainRequest,
  connection: PlainConnection,
  addressOf: AddressOf,
): Incoming {
  const received: Received = { outcome: 'body', bytes: body };
  let answered = false;
  return {
    method: 'POST',
    headers,
    // No getter: each would give its object a shape of its own, which V8 keeps, with all it refers to, until a major collection.
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
