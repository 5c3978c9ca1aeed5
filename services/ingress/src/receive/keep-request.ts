import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { KeptRequest } from '@sluice/contract/delivery';
import { SIGNATURE_HEADER, SIGNATURE_PREFIX, TIMESTAMP_HEADER } from '@sluice/signature/sign';

/** Larger bodies are not kept: the log holds 30 days of them. */
export const MAX_KEPT_BYTES = 64 * 1024;

const SIGNATURE_SHOWN = SIGNATURE_PREFIX.length + 8;
const HEADER_LENGTH = 200;

/** What is kept of a request whose signature held: enough to look at it and to do it again, and nothing secret. */
export function keepRequest({ headers }: IncomingMessage, bytes: Buffer): KeptRequest {
  const keepable = bytes.length <= MAX_KEPT_BYTES && isUtf8(bytes);
  return {
    content_type: text(headers['content-type'], HEADER_LENGTH),
    user_agent: text(headers['user-agent'], HEADER_LENGTH),
    timestamp: text(headers[TIMESTAMP_HEADER], HEADER_LENGTH),
    signature_start: text(headers[SIGNATURE_HEADER], SIGNATURE_SHOWN),
    bytes: bytes.length,
    body: keepable ? bytes.toString('utf8') : null,
  };
}

function text(value: string | string[] | undefined, length: number): string {
  return typeof value === 'string' ? value.slice(0, length) : '';
}
