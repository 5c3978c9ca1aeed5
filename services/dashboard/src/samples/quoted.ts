/** One word for a shell, whatever the text holds but the character NUL, which no shell takes. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
