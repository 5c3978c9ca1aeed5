import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { PROBLEM_CONTENT_TYPE, problemBody } from '@sluice/contract/problem/problem';
import { newId } from '@sluice/credentials/ids';
import { sendThroughNode } from './node-incoming.ts';

/**
 * The maximum number of header lines. Node's HTTP server silently drops lines beyond its own limit, and a signature behind
 * them would be missing. So its limit is one line more (server.ts), and a request with that line is rejected.
 */
export const MAX_HEADER_LINES = 1_000;

/** `rawHeaders` has a name and a value for each line. */
export function hasTooManyLines({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length > 2 * MAX_HEADER_LINES;
}

const STATUS = 431;

/** Responds with 431, in the same form as runtime's client-errors.ts does for headers with too many bytes. */
export function refuseLines(response: ServerResponse): void {
  const requestId = newId('req');
  const detail = `The request has more than ${MAX_HEADER_LINES} header lines. Send fewer.`;
  const problem = {
    ...problemBody('bad_request', detail, requestId),
    title: STATUS_CODES[STATUS],
    status: STATUS,
  };
  const payload = JSON.stringify(problem);
  const length = Buffer.byteLength(payload);
  const headers = {
    'content-type': PROBLEM_CONTENT_TYPE,
    'content-length': length,
    'x-request-id': requestId,
  };
  sendThroughNode(response)(STATUS, headers, payload);
}
