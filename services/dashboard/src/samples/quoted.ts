/** Quotes a text as one shell word. No shell accepts the character NUL. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
