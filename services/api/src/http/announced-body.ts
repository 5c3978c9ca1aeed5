import type { IncomingMessage } from 'node:http';

/** Whether the request headers announce a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether the sender waits for 100 Continue before it sends the body (RFC 9110, 10.1.1). */
export function waitsForContinue({ headers }: IncomingMessage): boolean {
  return headers.expect?.toLowerCase() === '100-continue';
}

/** Whether the headers announce a body of more than `bytes`, or do not state its length. */
export function mayExceed(request: IncomingMessage, bytes: number): boolean {
  const { headers } = request;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > bytes;
}
