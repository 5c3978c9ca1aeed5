import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Incoming } from '../receive/incoming.ts';
import { awaitsContinue, continueIfExpected } from './expect-continue.ts';
import { readRawBody } from './raw-body.ts';
import { sendThroughNode } from './send-through-node.ts';
import type { AddressOf } from './sender-address.ts';

/** A request that Node's HTTP server has read. */
export function nodeIncoming(
  request: IncomingMessage,
  response: ServerResponse,
  addressOf: AddressOf,
): Incoming {
  return {
    method: request.method as string,
    headers: request.headers,
    ip: () => addressOf(request),
    awaitsContinue: () => awaitsContinue(request),
    readBody: (room) => readRawBody(request, room, () => continueIfExpected(request, response)),
    send: sendThroughNode(response),
  };
}
