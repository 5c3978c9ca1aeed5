/**
 * What spreadsheets take for the beginning of a formula, in the wide forms of East Asian keyboards too. Where decimals have
 * a comma they separate cells by a semicolon, and do so within quotes that do not begin their cell.
 */
const FORMULA = /^(?=[\t\r\n])|(?<=^|[;\t\r\n] *)(?=[=+\-@＝＋－＠])/g;

/** A cell of a CSV file, so that whoever opens the file runs nothing: an apostrophe before a formula makes it text. */
export function spreadsheetText(value: string): string {
  return value.replace(FORMULA, "'");
}
