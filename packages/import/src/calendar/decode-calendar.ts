import { markedEncoding } from './byte-order-mark.ts';

/** A decoded file, and whether some of its lines were in no encoding that it names. */
export interface DecodedCalendar {
  readonly text: string;
  /** Lines, counted from 1, that are not UTF-8. They were read as Windows-1252, which most such programs write. */
  readonly otherLines: readonly number[];
}

/** A sentence about the lines that were not UTF-8, if there are some. */
export function decodingNotes({ otherLines: [first, ...others] }: DecodedCalendar): string[] {
  if (first === undefined) return [];
  const more = others.length === 0 ? ' is' : ` and ${others.length.toLocaleString('en')} more are`;
  return [`Line ${first}${more} not UTF-8, and read as Windows-1252. Check the letters.`];
}

/**
 * Decodes a file by its byte order mark, by the charset that its transport names (RFC 5545, section 3.1.4), or as UTF-8. Web
 * servers name ISO-8859-1 or US-ASCII for any text file, so a file that is valid UTF-8 is UTF-8 then too.
 * Lines are folded by bytes, even in the middle of a character (section 3.1). Such a fold is moved behind the character, so
 * that lines keep their numbers. A line in another encoding costs no other line. Never throws.
 */
export function decodeCalendar(bytes: Uint8Array, charset?: string): DecodedCalendar {
  const named = decoderOf(markedEncoding(bytes) ?? charset);
  const other = named?.encoding === 'utf-8' ? undefined : named;
  if (other !== undefined && other.encoding !== WESTERN) return { text: other.decode(bytes), otherLines: [] };
  const text =
    decode(bytes) ??
    decode(withWholeCharacters(bytes)) ??
    (other === undefined ? undefined : decodeWestern(bytes));
  return text === undefined ? decodeLines(withWholeCharacters(bytes)) : { text, otherLines: [] };
}

/** Decodes a text without folds: by its byte order mark, else each line as UTF-8 or Windows-1252. Never throws. */
export function decodeText(bytes: Uint8Array): DecodedCalendar {
  const marked = decoderOf(markedEncoding(bytes));
  const text = marked === undefined ? decode(bytes) : marked.decode(bytes);
  return text === undefined ? decodeLines(bytes) : { text, otherLines: [] };
}

/** The encoding of the labels ISO-8859-1, Latin-1 and US-ASCII (WHATWG Encoding, section 4.2). */
const WESTERN = 'windows-1252';

/** The characters of the bytes 0x80 to 0x9f. A blank: no character. */
const PUNCTUATION = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/** Node decodes these bytes as ISO-8859-1, in which they are control characters. Browsers do not. */
function decodeWestern(bytes: Uint8Array): string {
  return new TextDecoder(WESTERN).decode(bytes).replace(/[\x80-\x9f]/g, (one) => {
    const meant = PUNCTUATION[one.charCodeAt(0) - 0x80];
    return meant === undefined || meant === ' ' ? one : meant;
  });
}

function decoderOf(charset: string | undefined): InstanceType<typeof TextDecoder> | undefined {
  try {
    return charset === undefined ? undefined : new TextDecoder(charset.trim().replaceAll('"', ''));
  } catch {
    return undefined;
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes the file once in each encoding. A decoder for each line would take a minute for a file of millions of lines. */
function decodeLines(bytes: Uint8Array): DecodedCalendar {
  // Windows-1252 has one character for each byte.
  const western = decodeWestern(bytes);
  const otherLines: number[] = [];
  let from = 0;
  const lines = new TextDecoder('utf-8')
    .decode(bytes)
    .split('\n')
    .map((text, index) => {
      const found = western.indexOf('\n', from);
      const other = western.slice(from, found === -1 ? undefined : found);
      from = found + 1;
      if (isWhole(text, other)) return text;
      otherLines.push(index + 1);
      return other;
    });
  return { text: lines.join('\n'), otherLines };
}

/** A decoder puts U+FFFD for what is not UTF-8. A line may also contain this character. */
const REPLACEMENT = '\uFFFD';
/** Its three bytes in Windows-1252. */
const REPLACEMENT_IN_WESTERN = '\u00EF\u00BF\u00BD';

function isWhole(utf8: string, western: string): boolean {
  if (!utf8.includes(REPLACEMENT)) return true;
  return utf8.split(REPLACEMENT).length === western.split(REPLACEMENT_IN_WESTERN).length;
}

const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20];

function withWholeCharacters(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(bytes.length);
  let to = 0;
  for (let at = 0; at < bytes.length; ) {
    if (foldAt(bytes, at) === 0) {
      whole[to++] = bytes[at++] as number;
      continue;
    }
    // The rest of a character may itself be folded again.
    const folds: Uint8Array[] = [];
    for (let length = foldAt(bytes, at); length > 0; length = foldAt(bytes, at)) {
      folds.push(bytes.subarray(at, at + length));
      at += length;
      if (!isWithinCharacter(bytes[at])) break;
      while (isWithinCharacter(bytes[at])) whole[to++] = bytes[at++] as number;
    }
    for (const fold of folds) {
      whole.set(fold, to);
      to += fold.length;
    }
  }
  return whole;
}

/** Length in bytes of the fold that begins here; 0 if none does. */
function foldAt(bytes: Uint8Array, at: number): number {
  const [first, second] = [bytes[at], bytes[at + 1]];
  const isEnd = first === LF || first === CR;
  const isPair = (first === CR && second === LF) || (first === LF && second === CR);
  const end = isPair ? 2 : isEnd ? 1 : 0;
  const next = bytes[at + end];
  return end > 0 && (next === SPACE || next === TAB) ? end + 1 : 0;
}

function isWithinCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
