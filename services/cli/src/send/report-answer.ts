import { printable, printableLines } from '@sluice/runtime/telemetry/printable';
import { EXIT } from '../exit-codes.ts';
import type { OutputStreams } from '../output.ts';
import type { Answer } from './send-signed.ts';

/** Status and body on stdout; when to come back, if the endpoint says so, on stderr. */
export function printAnswer({ stdout, stderr }: OutputStreams, answer: Answer, json: boolean): void {
  const { status, statusText, body, retryAfter } = answer;
  if (json) stdout.write(`${printable(JSON.stringify({ status, body: parsed(body) }))}\n`);
  else {
    const end = body.endsWith('\n') || body === '' ? '' : '\n';
    // What stands behind a URL may be any server.
    stdout.write(printableLines(`${`${status} ${statusText}`.trimEnd()}\n${body}${end}`));
  }
  if (retryAfter !== null) stderr.write(`Retry after ${printable(retryAfter)} s.\n`);
}

/**
 * 0 for what was accepted; 1 for what was refused; 75 for what is to be sent again (docs/sending-events.md): trouble of the
 * endpoint, or of a proxy before it (502, 504), does not say whether the action was kept.
 */
export function exitCodeOf(status: number): number {
  if (status >= 200 && status < 300) return EXIT.done;
  return status === 429 || status >= 500 ? EXIT.tryAgainLater : EXIT.failed;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
