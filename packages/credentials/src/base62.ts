/** Digits, then capitals, then small letters: texts sort as their numbers do, and a double click selects all of them. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A non-negative safe integer in base 62, padded with zeros to `length`. */
export function encodeBase62(value: number, length: number): string {
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = BASE62.charAt(rest % 62) + text;
  return text.padStart(length, '0');
}
