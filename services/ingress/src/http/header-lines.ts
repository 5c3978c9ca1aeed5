import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { PROBLEM_CONTENT_TYPE, problemBody } from '@sluice/contract/problem';
import { newId } from '@sluice/credentials/ids';
import { sendThroughNode } from './send-through-node.ts';

/**
 * Header lines that a request may have. Node's HTTP server would drop the lines beyond its own limit in silence, so that a
 * signature behind them is missing. It is given one line more than this, and a request that has it is refused.
 */
export const MAX_HEADER_LINES = 1_000;

/** `rawHeaders` holds a name and a value for each line. */
export function hasTooManyLines({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length > 2 * MAX_HEADER_LINES;
}

const STATUS = 431;

/** Answers 431 in the form in which runtime's client-errors.ts refuses headers with too many bytes. */
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
