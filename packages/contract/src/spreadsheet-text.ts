/** Spreadsheets skip these before a formula. */
const SKIPPED = '\\p{Cc}\\p{Cf}\\p{Zs}';

/**
 * Where a cell may begin: at the start of the text, and after what some locales separate cells by. Where decimals have a
 * comma that is the semicolon, which separates within quotes too if those do not begin their cell.
 */
const CELL_START = `(?<=^[${SKIPPED}]*|[;\\t\\r\\n][${SKIPPED}"]*)`;

/** The characters that begin a formula, also in the wide forms of East Asian keyboards. */
const FORMULA = '[=+\\-@＝＋－＠]';

/** OWASP lists these as the first character of a cell too: some programs drop them. */
const DROPPED = '[\\t\\r\\n]';

/** With the apostrophes that are there already, so that one more can be told from them. */
const NEEDS_APOSTROPHE = `(?:${CELL_START}(?='*${FORMULA})|^(?='*${DROPPED}))`;
const HAS_APOSTROPHE = `(?:${CELL_START}'(?='*${FORMULA})|^'(?='*${DROPPED}))`;

const needsApostrophe = new RegExp(NEEDS_APOSTROPHE, 'gu');
const hasApostrophe = new RegExp(HAS_APOSTROPHE, 'gu');

/** A cell of a CSV file. An apostrophe before each formula makes it text, so a spreadsheet that opens the file runs nothing. */
export function spreadsheetText(value: string): string {
  return value.replace(needsApostrophe, "'");
}

/** The text that `spreadsheetText` made a cell of: takes its apostrophes away. */
export function fromSpreadsheetText(cell: string): string {
  return cell.replace(hasApostrophe, '');
}
