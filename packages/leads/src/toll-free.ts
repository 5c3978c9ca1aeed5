/** A toll-free number of North America: the prefix, and what people dial after it. */
const TOLL_FREE = /^\+?1?[\s.-]*\(?(8(?:00|33|44|55|66|77|88))\)?([a-z0-9 .-]+)$/i;
/** The digit of each letter on the keys of a phone, from a to z. */
const KEYPAD = '22233344455566677778889999';
const DIALLED = 7;
/** Fewer letters are a note or an extension behind digits. */
const FEWEST_LETTERS = 3;

/**
 * Replaces the word of a toll-free number such as 1-800-FLOWERS by its digits. Any other text is returned unchanged. The library
 * drops the letters, so that all numbers with words would be the number 1800.
 */
export function spellTollFree(text: string): string {
  const [, prefix, word = ''] = TOLL_FREE.exec(text.trim()) ?? [];
  const dialled = word.replace(/[ .-]/g, '').slice(0, DIALLED).toLowerCase();
  const letters = dialled.replace(/\d/g, '');
  if (dialled.length < DIALLED || letters.length < FEWEST_LETTERS) return text;
  return `+1 ${prefix} ${dialled.replace(/[a-z]/g, digitOf)}`;
}

const digitOf = (letter: string): string => KEYPAD.charAt(letter.charCodeAt(0) - 'a'.charCodeAt(0));
