/** Spreadsheets skip these before a formula. */
const SKIPPED = '\\p{Cc}\\p{Cf}\\p{Zs}';

/**
 * The places where a cell may begin: the start of the text, and after the separators of some locales. Locales with decimal
 * commas use the semicolon. It separates cells even inside quotes, unless the quote begins its cell.
 */
const CELL_START = `(?<=^[${SKIPPED}]*|[;\\t\\r\\n][${SKIPPED}"]*)`;

/** The characters that begin a formula, with the wide forms of East Asian keyboards. */
const FORMULA = '[=+\\-@＝＋－＠]';

/** OWASP lists these as first characters of a cell too, because some programs drop them. */
const DROPPED = '[\\t\\r\\n]';

/** The pattern includes existing apostrophes, so that the added one can be distinguished from them. */
const NEEDS_APOSTROPHE = `(?:${CELL_START}(?='*${FORMULA})|^(?='*${DROPPED}))`;
const HAS_APOSTROPHE = `(?:${CELL_START}'(?='*${FORMULA})|^'(?='*${DROPPED}))`;

const needsApostrophe = new RegExp(NEEDS_APOSTROPHE, 'gu');
const hasApostrophe = new RegExp(HAS_APOSTROPHE, 'gu');

/** Makes a cell of a CSV file. An apostrophe before each formula makes it text, so a spreadsheet runs no formula. */
export function spreadsheetText(value: string): string {
  return value.replace(needsApostrophe, "'");
}

/** The original text of a cell of `spreadsheetText`, without the added apostrophes. */
export function fromSpreadsheetText(cell: string): string {
  return cell.replace(hasApostrophe, '');
}
