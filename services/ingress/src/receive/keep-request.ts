import type { KeptRequest } from '@sluice/contract/delivery';
import { SIGNATURE_HEADER, SIGNATURE_PREFIX, TIMESTAMP_HEADER } from '@sluice/signature/sign';
import type { Incoming } from './incoming.ts';

/** Larger bodies are not kept: the log holds 30 days of them. */
export const MAX_KEPT_BYTES = 64 * 1024;

const SIGNATURE_SHOWN = SIGNATURE_PREFIX.length + 8;
const HEADER_LENGTH = 200;

/** What is kept of a request whose signature held: enough to look at it and to do it again, and nothing secret. */
export function keepRequest(
  { headers }: Pick<Incoming, 'headers'>,
  bytes: number,
  text: string | undefined,
): KeptRequest {
  return {
    content_type: short(headers['content-type'], HEADER_LENGTH),
    user_agent: short(headers['user-agent'], HEADER_LENGTH),
    timestamp: short(headers[TIMESTAMP_HEADER], HEADER_LENGTH),
    signature_start: short(headers[SIGNATURE_HEADER], SIGNATURE_SHOWN),
    bytes,
    body: text !== undefined && bytes <= MAX_KEPT_BYTES ? text : null,
  };
}

function short(value: string | string[] | undefined, length: number): string {
  return typeof value === 'string' ? value.slice(0, length) : '';
}
