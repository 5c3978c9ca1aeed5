/** Spreadsheets skip these before a formula. */
const SKIPPED = '\\p{Cc}\\p{Cf}\\p{Zs}';

/**
 * The texts behind which a cell may begin: what is skipped at the start of the text, and after the separators of some locales.
 * Locales with decimal commas use the semicolon. It separates cells even inside quotes, unless the quote begins its cell.
 * The pattern consumes each run whole and looks back at nothing, so a text costs one pass.
 */
const BEFORE_CELL = `^(?:(?![\\t\\r\\n])[${SKIPPED}])*(?:[;\\t\\r\\n][;"${SKIPPED}]*)?|[;\\t\\r\\n][;"${SKIPPED}]*`;

/** The characters that begin a formula, with the wide forms of East Asian keyboards. */
const FORMULA = '[=+\\-@＝＋－＠]';

/** OWASP lists these as first characters of a cell too, because some programs drop them. */
const DROPPED = '[\\t\\r\\n]';

// The patterns include existing apostrophes, so that the added one can be distinguished from them.
const formulas = new RegExp(`(${BEFORE_CELL})('*)(?=(${FORMULA}|))`, 'gu');
const needsFirst = new RegExp(`^(?='*${DROPPED})`);
const hasFirst = new RegExp(`^'(?='*${DROPPED})`);

/** Makes a cell of a CSV file. An apostrophe before each formula makes it text, so a spreadsheet runs no formula. */
export function spreadsheetText(value: string): string {
  return value
    .replace(formulas, (all, before: string, quotes: string, formula: string) =>
      formula === '' ? all : `${before}'${quotes}`,
    )
    .replace(needsFirst, "'");
}

/** The original text of a cell of `spreadsheetText`, without the added apostrophes. */
export function fromSpreadsheetText(cell: string): string {
  return cell
    .replace(hasFirst, '')
    .replace(formulas, (all, before: string, quotes: string, formula: string) =>
      formula === '' ? all : before + quotes.slice(1),
    );
}
