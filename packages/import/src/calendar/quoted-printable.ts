import type { Property } from './content-lines.ts';
import { decodeCalendar } from './decode-calendar.ts';

/**
 * The value of a property as text, without QUOTED-PRINTABLE (RFC 2045, section 6.7). vCalendar 1.0 has it, and programs write it
 * into files of version 2.0 too. The bytes are in the charset that the property names, else UTF-8 or Windows-1252.
 */
export function plainValue({ params, value }: Property): string {
  const encoding = params.get('ENCODING')?.toUpperCase();
  if (encoding !== 'QUOTED-PRINTABLE' && !params.has('QUOTED-PRINTABLE')) return value;
  return decodeCalendar(unquoted(value), params.get('CHARSET')).text;
}

/** Replaces each =XX by its byte. What is no such code stays. */
function unquoted(value: string): Uint8Array {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const found of value.matchAll(/=([0-9A-Fa-f]{2})/g)) {
    parts.push(encoder.encode(value.slice(from, found.index)));
    parts.push(Uint8Array.of(Number.parseInt(found[1] as string, 16)));
    from = found.index + found[0].length;
  }
  parts.push(encoder.encode(value.slice(from)));
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
