/** Whether a user has typed a name as the page shows it: HTML joins blanks, and keyboards compose characters. */
export function isNameTyped(typed: string, name: string): boolean {
  return shown(typed) === shown(name);
}

function shown(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}
