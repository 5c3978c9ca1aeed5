/** Names come from clients. A line break in one could add text that looks like ours. */
export function oneLine(text: string): string {
  return text.replaceAll(/\p{C}+|\s+/gu, ' ');
}
