import { isUtf8 } from 'node:buffer';
import { type ParsedAction, parseActionText } from './parse-action.ts';

/** Reads an action from the exact bytes of a body (docs/sending-events.md). Never throws. */
export function parseAction(body: Uint8Array): ParsedAction {
  return parseActionText(decodeBody(body));
}

/**
 * The text of a body; undefined if it is not UTF-8. A fatal TextDecoder has the same result, but its strings always have two
 * bytes for each character, which doubles the cost of using them (bench/speed-tried.md).
 */
export function decodeBody(body: Uint8Array): string | undefined {
  return isUtf8(body)
    ? Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
    : undefined;
}
