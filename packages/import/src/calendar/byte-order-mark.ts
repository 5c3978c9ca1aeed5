/**
 * The encoding that the first bytes of a file name; undefined if they name none, as in most files. Without a byte order mark, every
 * second byte of UTF-16 is zero at the beginning of a table or a calendar, which no text in another encoding has.
 */
export function markedEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const [first, second, third, fourth] = bytes;
  if (first && second === 0 && third && fourth === 0) return 'utf-16le';
  if (first === 0 && second && third === 0 && fourth) return 'utf-16be';
  return undefined;
}
