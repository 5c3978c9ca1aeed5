import { printable, printableLines } from '@sluice/runtime/telemetry/printable';
import { EXIT } from '../exit-codes.ts';
import { jsonOrText } from '../http/json-or-text.ts';
import type { OutputStreams } from '../output.ts';
import type { EndpointResponse } from './send-signed.ts';

/** Prints status and body to stdout, and the endpoint's Retry-After to stderr. */
export function printResponse(
  { stdout, stderr }: OutputStreams,
  response: EndpointResponse,
  json: boolean,
): void {
  const { status, statusText, body, retryAfter } = response;
  if (json) stdout.write(`${printable(JSON.stringify({ status, body: jsonOrText(body) }))}\n`);
  else {
    const end = body.endsWith('\n') || body === '' ? '' : '\n';
    // Escapes control characters, because the URL may lead to any server.
    stdout.write(printableLines(`${`${status} ${statusText}`.trimEnd()}\n${body}${end}`));
  }
  if (retryAfter !== null) stderr.write(`Retry after ${printable(retryAfter)} s.\n`);
}

/**
 * 0: accepted. 1: rejected. 75: send it again (docs/sending-events.md). After an error of the endpoint, or of a proxy
 * in front of it (502, 504), it is unknown whether the action was accepted.
 */
export function exitCodeOf(status: number): number {
  if (status >= 200 && status < 300) return EXIT.done;
  return status === 429 || status >= 500 ? EXIT.tryAgainLater : EXIT.failed;
}
