/** V8 looks at a prototype once a place in the code has met its object often: 16 times on Node 20 to 26. */
const OFTEN = 64;

class SomeString extends String {}

const ask = (text: SomeString) => text.charCodeAt(0);

/**
 * Makes the methods of strings as fast again as they are in a process without ioredis. ioredis declares a class that
 * extends String (resp/verbatim-string.js): V8 then keeps String.prototype as a dictionary, and every call of every
 * method of every string looks it up anew, five times as slow for `charCodeAt` (bench/speed-tried.md; the same was seen in
 * inikulin/parse5#1348). It ends that when it meets an object of such a class at work, which ioredis never makes under
 * RESP2.
 */
export function restoreFastStrings(): void {
  const some = new SomeString('x');
  for (let i = 0; i < OFTEN; i++) ask(some);
}
