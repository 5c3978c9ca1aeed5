import type { IncomingMessage } from 'node:http';

/** Whether the headers of a request announce a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether the sender keeps the body back until it reads 100 Continue (RFC 9110, 10.1.1). */
export function waitsForContinue({ headers }: IncomingMessage): boolean {
  return headers.expect?.toLowerCase() === '100-continue';
}

/** Whether the headers announce more than `bytes` of body, or do not state its length. */
export function mayExceed(request: IncomingMessage, bytes: number): boolean {
  const { headers } = request;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > bytes;
}
