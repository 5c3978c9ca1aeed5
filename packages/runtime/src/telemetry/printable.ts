/**
 * A terminal acts on control characters (C0, DEL and C1): they move the cursor and begin escape sequences. Characters of
 * writing direction reorder the text around them. Programs that read lines also end a line at U+2028 and U+2029.
 */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;
const UNSEEN_IN_LINES = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Makes a text one line for a terminal: escapes invisible characters as in JSON. JSON keeps its meaning. */
export function printable(text: string): string {
  return text.replace(UNSEEN, escaped);
}

/** Does the same for a text of several lines: line feeds and tabs stay. */
export function printableLines(text: string): string {
  return text.replace(UNSEEN_IN_LINES, escaped);
}

/** Replaces each invisible character with U+FFFD, for tables. */
export function withoutUnseen(text: string): string {
  return text.replace(UNSEEN, '\u{fffd}');
}

function escaped(character: string): string {
  return SHORT[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
