/**
 * Decodes a UTF-8 file; undefined for any other encoding. Lines are folded by bytes, even in the middle of a character
 * (RFC 5545, section 3.1). Such a fold is moved behind the character, so that lines keep their numbers.
 */
export function decodeCalendar(bytes: Uint8Array): string | undefined {
  return decode(bytes) ?? decode(withWholeCharacters(bytes));
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20];

function withWholeCharacters(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(bytes.length);
  let to = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = foldAt(bytes, at);
    let next = at + length;
    while (length > 0 && isWithinCharacter(bytes[next])) whole[to++] = bytes[next++] as number;
    if (length === 0) whole[to++] = bytes[at++] as number;
    else {
      whole.set(bytes.subarray(at, at + length), to);
      to += length;
      at = next;
    }
  }
  return whole;
}

/** Length in bytes of the fold that begins here; 0 if none does. */
function foldAt(bytes: Uint8Array, at: number): number {
  const end = bytes[at] === CR && bytes[at + 1] === LF ? 2 : bytes[at] === LF || bytes[at] === CR ? 1 : 0;
  const next = bytes[at + end];
  return end > 0 && (next === SPACE || next === TAB) ? end + 1 : 0;
}

function isWithinCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
