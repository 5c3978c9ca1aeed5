import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { Incoming } from '../receive/incoming.ts';
import { readRawBody } from './raw-body.ts';
import { sendThroughNode } from './send-through-node.ts';

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
