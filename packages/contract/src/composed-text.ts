/** No character of NFC is made of more than four UTF-16 units of a text (but for some of two scripts, of up to six). */
const LONGEST_DECOMPOSITION = 4;

/** Unicode takes 30 in a row for more than any text needs that means something (UAX #15, section 13). */
const ENDLESS_MARKS = /\p{Mn}{65,}/u;

/**
 * A text trimmed and in NFC, so that the same words typed on another system identify the same event; undefined where it
 * is longer than `max` characters for certain. What is longer is not composed: for marks in a row that takes a time that
 * grows with the square of their number, which is 20 s for the 120,000 that fit into a request.
 */
export function composedText(text: string, max: number): string | undefined {
  const trimmed = text.trim();
  return trimmed.length > max && isTooLong(trimmed, max) ? undefined : trimmed.normalize('NFC');
}

function isTooLong(text: string, max: number): boolean {
  return text.length > LONGEST_DECOMPOSITION * max || ENDLESS_MARKS.test(text);
}
