import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import { sendThroughNode } from './answer/send-through-node.ts';
import type { Incoming } from './incoming.ts';
import { readRawBody } from './receive/raw-body.ts';

/** A request that Node's HTTP server has read, and born with Express's prototypes (server.ts). */
export function nodeIncoming(request: Request, response: ServerResponse): Incoming {
  return {
    method: request.method,
    headers: request.headers,
    ip: () => request.ip,
    readBody: (room) => readRawBody(request, room),
    send: sendThroughNode(response),
  };
}
