/** A character in NFC is composed of at most four UTF-16 units (up to six for a few characters of two scripts). */
const LONGEST_DECOMPOSITION = 4;

/** Unicode considers more than 30 marks in a row meaningless (UAX #15, section 13). */
const ENDLESS_MARKS = /\p{Mn}{65,}/u;

/**
 * Trims a text and converts it to NFC, so that the same words from another system identify the same event. It returns
 * undefined if the text is certainly longer than `max` characters. Longer texts are not composed: for marks in a row the time
 * grows with the square of their number, and a request has room for 120,000, which take 20 s.
 */
export function composedText(text: string, max: number): string | undefined {
  const trimmed = text.trim();
  return trimmed.length > max && isTooLong(trimmed, max) ? undefined : trimmed.normalize('NFC');
}

function isTooLong(text: string, max: number): boolean {
  return text.length > LONGEST_DECOMPOSITION * max || ENDLESS_MARKS.test(text);
}

/** Whether a value counts as no text at all. */
export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}
